import fc from "fast-check";
import { families } from "../../../shared/routes/index.ts";
import type { Route, RouteTable } from "../../../shared/routes/route.ts";
import { clientOf } from "../client.ts";
import { type Answered, answerFault, framesIn } from "./answer-fault.ts";
import { type AskedRequest, type Manner, requestsTo, thingsFor } from "./asked-request.ts";
import { decisionFault } from "./decision-fault.ts";
import { operations } from "./document.ts";
import { type KnownIds, knownIds, type Thing } from "./known-ids.ts";
import { type Staged, stages } from "./staged.ts";

export type Finding = {
  readonly operationId: string;
  readonly round: number;
  readonly manner: Manner;
  readonly fault: string;
  readonly request: AskedRequest;
  readonly answered: Answered | undefined;
};

export type Campaign = {
  readonly url: string;
  readonly token: string;
  /** Repeats an earlier campaign, as far as ids and times allow. */
  readonly seed: number;
  /** How often every operation is asked. The first time as its example is. */
  readonly rounds: number;
  /** Where to begin, to repeat the end of a long campaign. */
  readonly from?: number;
  readonly only?: ReadonlySet<string>;
  readonly progress?: (round: number, asked: number, found: number) => void;
  /** Called at once, so that a campaign that breaks off has shown what it found. */
  readonly show?: (finding: Finding) => void;
};

export type Outcome = {
  readonly asked: number;
  readonly findings: readonly Finding[];
  /** Answers by status. */
  readonly statuses: Readonly<Record<number, number>>;
  /** Operations that were never done, without those that refuse everybody. */
  readonly neverDone: readonly string[];
};

type Described = (typeof operations)[number];

/** What deletes much comes last in a round, so that the others find something. */
const order = [...operations].sort((one, other) => rank(one) - rank(other));

function rank({ method }: Described): number {
  return method === "DELETE" ? 2 : method === "POST" ? 0 : 1;
}

/** Longer than anything that is waited for here. */
const PATIENCE_MS = 40_000;

/**
 * Drives every operation of a platform from its description, with what is valid and what is not, and holds each answer
 * against it: no failure of ours, no status and no body that is not described.
 */
export async function fuzzOpenApi(campaign: Campaign): Promise<Outcome> {
  const { seed, rounds, from = 0, only, progress, show } = campaign;
  const ids = knownIds();
  const findings: Finding[] = [];
  const statuses: Record<number, number> = {};
  const done = new Set<string>();
  const admin = clientOf(campaign.url, campaign.token);
  const chosen = order.filter(({ operationId }) => !only || only.has(operationId));
  let asked = 0;
  await bringAbout(campaign, ids);
  for (let round = 0; round < rounds; round += 1) {
    for (const operation of chosen) {
      const manner = mannerOf(round);
      // Skipped rounds still count the seeds, so that a repeated one asks what it asked before.
      if (round > 0 && round < from) continue;
      const { operationId } = operation;
      const staged = await stages[operationId]?.(admin);
      const things = thingsFor(operation, ids);
      // As the example is, it has to succeed about one of them: which are in a state for it is not known beforehand.
      const turns = manner === "example" && !staged ? things.map((thing) => [thing]) : [things];
      for (const about of turns) {
        const request = requestOf({ operation, manner, about, seed: seed + round, staged });
        const { status, fault, answered } = await ask(campaign, operation, request, ids);
        asked += 1;
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (fault !== undefined) {
          const finding = { operationId, round, manner, fault, request, answered };
          findings.push(finding);
          show?.(finding);
        }
        if (status >= 200 && status < 400) {
          done.add(operationId);
          break;
        }
      }
    }
    progress?.(round + 1, asked, findings.length);
  }
  const neverDone = chosen
    .filter(({ operationId, summary }) => !done.has(operationId) && !refusesEverybody(summary))
    .map(({ operationId }) => operationId);
  return { asked, findings, statuses, neverDone };
}

/** What no example brings about: a run that waits for an approval, and one in the queue. */
async function bringAbout({ url, token }: Campaign, ids: KnownIds): Promise<void> {
  const run = async (agent_id: string, form: Record<string, string>) => {
    const response = await fetch(`${url}/agents/${agent_id}/runs`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: new URLSearchParams({ stream: "false", ...form }),
    });
    ids.learn(await response.json(), "runs", { agent_id });
  };
  await run("assistant", { message: "in its turn", background: "true" });
  await run("account-desk", { message: '[[tool:close_account {"account":"4711"}]]' });
}

/** As its summary says: the protocol has these routes, and clients ask which of them there are. */
const refusesEverybody = (summary: string): boolean => summary.startsWith("Refused");

const mannerOf = (round: number): Manner => (round === 0 ? "example" : round % 2 === 1 ? "valid" : "invalid");

type Chosen = {
  readonly operation: Described;
  readonly manner: Manner;
  readonly about: readonly Thing[];
  readonly seed: number;
  readonly staged: Staged | undefined;
};

function requestOf({ operation, manner, about, seed, staged }: Chosen): AskedRequest {
  const [request] = fc.sample(requestsTo(operation, manner, about, staged), {
    seed: seed * 1009 + operations.indexOf(operation),
    numRuns: 1,
  });
  if (!request) throw new Error(`no request to ${operation.operationId}`);
  return request;
}

type Asked = {
  readonly status: number;
  readonly fault: string | undefined;
  readonly answered: Answered | undefined;
};

async function ask(
  { url, token }: Campaign,
  operation: Described,
  asked: AskedRequest,
  ids: KnownIds,
): Promise<Asked> {
  const { method, path, headers, body } = asked;
  try {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(body !== undefined && method !== "GET" && { body }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await response.text();
    const { status } = response;
    const type = response.headers.get("content-type") ?? "";
    // The description's own examples are about things that are not there.
    const isOver = status >= 300 || operation.operationId === "getOpenApi";
    const items = isOver ? [] : type.includes("json") ? [JSON.parse(text)] : framesOf(type, text);
    ids.learn(items, operation.tags[0] ?? "", variablesOf(operation.path, path));
    const answered = { status, type, text };
    const fault =
      answerFault(operation, answered, needsMore(operation.operationId)) ??
      (await decisionFault(operation, asked, answered));
    return { status, answered, fault };
  } catch (error) {
    // No answer is a finding like any other: the campaign goes on.
    return { status: 0, answered: undefined, fault: `no answer: ${String(error)}` };
  }
}

const framesOf = (type: string, text: string): unknown[] =>
  type.startsWith("text/event-stream") ? framesIn(text) : [];

/** What stands in a path for the variables of its pattern. */
function variablesOf(pattern: string, path: string): Thing {
  const values = (path.split("?")[0] ?? "").split("/");
  const found = pattern.split("/").flatMap((segment, at): [string, string][] => {
    const [, name] = /^\{([^}]+)\}$/.exec(segment) ?? [];
    return name === undefined ? [] : [[name, decoded(values[at] ?? "")]];
  });
  return Object.fromEntries(found);
}

/** As it is where it cannot be decoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const rows: Readonly<Record<string, Route>> = Object.assign({}, ...Object.values<RouteTable>(families));

const needsMore = (operationId: string): boolean => rows[operationId]?.refuses?.includes(503) ?? false;
