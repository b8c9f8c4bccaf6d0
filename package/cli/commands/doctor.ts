import { existsSync } from "node:fs";
import { createConnection } from "node:net";
import { ensureBuilt } from "../../../build/bundles/index.ts";
import { projectOf, readManifest } from "../../../build/index.ts";
import { createClient } from "../../../client/index.ts";
import { environmentOf } from "../../../local/template/app-context.ts";
import { requireModelKey } from "../../../local/template/check-environment.ts";
import { withEnvFiles } from "../../../local/template/tool-secrets.ts";
import { neededSecrets } from "../../../shared/runtime/registry-manifest.ts";
import { readProject, type UserProject } from "../../config/read-project.ts";
import { localAddress, localToken, tokenOfDeployment } from "./logs.ts";

/** What was looked at, and what is wrong with it; undefined where nothing is. A note is for when there is time. */
type Finding = readonly [what: string, problem: string | undefined, isNote?: true];

/** Says what is in the way. Ends with 1 when something is. */
export async function examine({ url }: { readonly url?: string }): Promise<void> {
  const project = await readProject();
  const findings = [
    await registry(project),
    model(project),
    secrets(project),
    credentials(),
    ...(url === undefined ? await thisMachine() : await deployment(url, tokenOfDeployment())),
  ];
  for (const [what, problem, isNote] of findings) {
    const verdict = problem === undefined ? "ok   " : isNote ? "note " : "WRONG";
    console.log(`${verdict} ${what}${problem === undefined ? "" : `: ${problem}`}`);
  }
  process.exitCode = findings.some(([, problem, isNote]) => problem !== undefined && !isNote) ? 1 : 0;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function registry({ registry: file }: UserProject): Promise<Finding> {
  try {
    await ensureBuilt({ registry: file });
    const {
      agents = [],
      teams = [],
      workflows = [],
    } = readManifest(projectOf({ registry: file }).dist) ?? {};
    const declared = [...agents, ...teams, ...workflows].join(", ") || "nothing is declared";
    return [`registry: ${declared}`, undefined];
  } catch (error) {
    return ["registry", messageOf(error)];
  }
}

const environmentIn = ({ config, registry: file }: UserProject) =>
  withEnvFiles({ ...environmentOf({ ...config.local }), ...process.env }, projectOf({ registry: file }).home);

function model(project: UserProject): Finding {
  const environment = environmentIn(project);
  const what = `model here: ${environment.MODEL || "scripted"}`;
  try {
    requireModelKey(environment);
    return [what, undefined];
  } catch (error) {
    return [what, messageOf(error)];
  }
}

function secrets(project: UserProject): Finding {
  const { needs = [] } = readManifest(projectOf({ registry: project.registry }).dist) ?? {};
  const environment = environmentIn(project);
  const missing = [...neededSecrets(needs).keys()].filter((name) => !environment[name]);
  const what = "secrets of tools";
  return [what, missing.length > 0 ? `${missing.join(", ")} not set, here or in .env` : undefined];
}

/** Whether a deployment could be tried; whether it is allowed only AWS can say. */
function credentials(): Finding {
  const { AWS_ACCESS_KEY_ID, AWS_PROFILE, AWS_REGION, AWS_DEFAULT_REGION, HOME = "" } = process.env;
  const isKnown =
    Boolean(AWS_ACCESS_KEY_ID || AWS_PROFILE) ||
    existsSync(`${HOME}/.aws/credentials`) ||
    existsSync(`${HOME}/.aws/config`);
  if (!isKnown) return ["AWS credentials: none, which only deploying takes", undefined];
  const region = AWS_REGION ?? AWS_DEFAULT_REGION;
  return [`AWS credentials${region ? ` for ${region}` : ""}`, undefined];
}

async function thisMachine(): Promise<readonly Finding[]> {
  const address = localAddress();
  if (!(await isTaken(Number(new URL(address).port)))) return [[`${address}: free`, undefined]];
  return deployment(address, localToken());
}

const isTaken = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection({ host: "127.0.0.1", port })
      .once("connect", () => {
        socket.destroy();
        resolve(true);
      })
      .once("error", () => resolve(false));
  });

async function deployment(baseUrl: string, token: string): Promise<readonly Finding[]> {
  const client = createClient({ baseUrl, token });
  try {
    const { databases } = await client.getConfig();
    const migrations = await Promise.all(
      databases.map(async (db_id): Promise<Finding> => {
        const { version, latest_version } = await client.getDatabase({ path: { db_id } });
        if (version === latest_version) return [`database ${db_id}`, undefined];
        const due = `its records may be of version ${version}, which is still read; the console's System page brings them to ${latest_version}`;
        return [`database ${db_id}`, due, true];
      }),
    );
    return [[`${baseUrl}: answers`, undefined], ...migrations];
  } catch (error) {
    return [[baseUrl, messageOf(error)]];
  }
}
