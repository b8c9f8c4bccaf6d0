import * as v from "valibot";
import { type Check, NotExamined, Problem } from "./check.ts";

/** A platform that is asked over HTTP, here or deployed. */
export type PlatformPlace = {
  /** Without a slash at its end. */
  readonly address: () => Promise<string> | string;
  /** Undefined where there is none: then only what is public is asked. */
  readonly token: string | undefined;
  /** Version of this package. */
  readonly version: string;
};

const TIMEOUT_MS = 30_000;
const RUN_TIMEOUT_MS = 120_000;

const Refusal = v.object({ detail: v.string() });

async function ask(place: PlatformPlace, path: string, init: RequestInit = {}): Promise<unknown> {
  const address = await place.address();
  const authorization = place.token === undefined ? {} : { authorization: `Bearer ${place.token}` };
  const answer = await fetch(`${address}${path}`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...init,
    headers: { ...authorization, ...init.headers },
  });
  const body: unknown = await answer.json().catch(() => undefined);
  if (answer.ok) return body;
  const { output, success } = v.safeParse(Refusal, body);
  throw new Problem(`${path} answers with ${answer.status}${success ? `, ${output.detail}` : ""}`);
}

const requireToken = ({ token }: PlatformPlace): void => {
  if (token === undefined) throw new NotExamined("AGENT_PLATFORM_TOKEN is not set");
};

const Components = v.object({
  agents: v.array(v.object({ id: v.string() })),
  teams: v.array(v.object({ id: v.string() })),
  workflows: v.array(v.object({ id: v.string() })),
  databases: v.array(v.string()),
});
const Database = v.object({ version: v.string(), latest_version: v.string() });
const Info = v.object({ os_version: v.string() });
const Run = v.object({ run_id: v.string(), status: v.string() });

const componentsOf = async (place: PlatformPlace) => v.parse(Components, await ask(place, "/config"));

async function sampleRun(place: PlatformPlace): Promise<string> {
  requireToken(place);
  const { agents, teams, workflows } = await componentsOf(place);
  const [first] = Object.entries({ agents, teams, workflows }).flatMap(([kind, all]) =>
    all.map(({ id }) => `/${kind}/${encodeURIComponent(id)}/runs`),
  );
  if (first === undefined) throw new NotExamined("there is no agent, team or workflow to run");
  const body = new URLSearchParams({ message: "Answer with the word ok.", stream: "false" });
  const startedAt = performance.now();
  const answer = await ask(place, first, {
    method: "POST",
    body,
    signal: AbortSignal.timeout(RUN_TIMEOUT_MS),
  });
  const { run_id, status } = v.parse(Run, answer);
  if (status !== "COMPLETED")
    throw new Problem(
      `POST ${first} ended as ${status}`,
      `npx agent-platform logs ${run_id} shows why; docs/operations.md#runs-fail.`,
    );
  return `POST ${first} completed in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
}

/** The one check that starts a run. */
export const SAMPLE_RUN = "sample run";

export const platformChecks: readonly Check<PlatformPlace>[] = [
  {
    name: "parts",
    asks: "Whether the platform answers at its address, and with it the authorizer, every table and the queue (`/health?deep=1`).",
    fails: "Nothing answers, or the answer is 503 and names the part.",
    remedy:
      "Look at the part that is named. Where nothing answers, look at the stack's events, and at the name server where the address is a name of yours.",
    isRequired: true,
    look: async (place) => {
      await ask(place, "/health?deep=1");
      return `${await place.address()} answers`;
    },
  },
  {
    name: "token",
    asks: "Whether the platform accepts the token, `AGENT_PLATFORM_TOKEN`; here that of this machine.",
    fails: "The platform refuses it: it has expired, or its issuer or audience is not a configured one.",
    remedy:
      "Make a new one, and compare its `iss` and `aud` with the setting jwtIssuers. Without an issuer: npx agent-platform token --stage <name>.",
    isRequired: true,
    look: async (place) => {
      requireToken(place);
      await componentsOf(place);
      return "accepted";
    },
  },
  {
    name: "version",
    asks: "Whether the platform is of the version of this package.",
    fails: "Another version is deployed.",
    remedy: "Read the changelog between the two, and deploy.",
    isRequired: false,
    look: async (place) => {
      const { os_version } = v.parse(Info, await ask(place, "/info"));
      if (os_version === place.version) return os_version;
      throw new Problem(`${os_version} is deployed, and this package is ${place.version}`);
    },
  },
  {
    name: "database",
    asks: "Whether all records are of the latest version.",
    fails: "A migration is due. Records of older versions are still read.",
    remedy: "The console's System page migrates them, or POST /databases/<id>/migrate.",
    isRequired: false,
    look: async (place) => {
      requireToken(place);
      const { databases } = await componentsOf(place);
      const read = await Promise.all(
        databases.map(async (id) => ({ id, ...v.parse(Database, await ask(place, `/databases/${id}`)) })),
      );
      const due = read.filter(({ version, latest_version }) => version !== latest_version);
      if (due.length === 0) return read.map(({ id, version }) => `${id} ${version}`).join(", ");
      throw new Problem(
        due
          .map(
            ({ id, version, latest_version }) =>
              `${id}: records may be of ${version}, latest ${latest_version}`,
          )
          .join("; "),
      );
    },
  },
  {
    name: SAMPLE_RUN,
    asks: "Whether the first agent completes a run. It calls its model once; `--no-run` leaves it out.",
    fails: "The run is refused or fails.",
    remedy:
      "GET /runs?status=ERROR lists it, and GET /runs/<id>/log has its log; docs/operations.md#runs-fail.",
    isRequired: true,
    look: sampleRun,
  },
];
