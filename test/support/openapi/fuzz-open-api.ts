import fc from "fast-check";
import { families } from "../../../shared/routes/index.ts";
import type { Route, RouteTable } from "../../../shared/routes/route.ts";
import { clientOf } from "../client.ts";
import { type Answered, answerFault } from "./answer-fault.ts";
import { ask } from "./ask.ts";
import { type AskedRequest, type Manner, requestsTo, type Subject } from "./asked-request.ts";
import { decisionFault } from "./decision-fault.ts";
import { operations } from "./document.ts";
import { decodes } from "./request-fault.ts";
import type { Staged } from "./stages/stage.ts";
import { stage } from "./stages/stages.ts";

export type Finding = {
  readonly operationId: string;
  readonly round: number;
  readonly manner: Manner;
  readonly fault: string;
  /** Absent where what the operation is about could not be brought about. */
  readonly request: AskedRequest | undefined;
  readonly answered: Answered | undefined;
};

export type Campaign = {
  readonly url: string;
  readonly token: string;
  /** Repeats an earlier campaign, as far as ids and times allow. */
  readonly seed: number;
  /** How often every operation is asked: in turns with what is valid and with what is not. */
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
};

type Described = (typeof operations)[number];

/** What deletes much comes last in a round, so that the others find something. */
const order = [...operations].sort((one, other) => rank(one) - rank(other));

function rank({ method }: Described): number {
  return method === "DELETE" ? 2 : method === "POST" ? 0 : 1;
}

/**
 * Drives every operation of a platform from its description, with what is valid and what is not, and holds each answer
 * against it: no failure of ours, no status and no body that is not described.
 */
export async function fuzzOpenApi(campaign: Campaign): Promise<Outcome> {
  const { seed, rounds, from = 0, only, progress, show } = campaign;
  const findings: Finding[] = [];
  const statuses: Record<number, number> = {};
  const admin = clientOf(campaign.url, campaign.token);
  const chosen = order.filter(({ operationId }) => !only || only.has(operationId));
  let asked = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (const operation of chosen) {
      const manner = mannerOf(round);
      // Skipped rounds still count the seeds, so that a repeated one asks what it asked before.
      if (round > 0 && round < from) continue;
      const { operationId } = operation;
      const found = (finding: Pick<Finding, "fault" | "request" | "answered">) => {
        const whole = { operationId, round, manner, ...finding };
        findings.push(whole);
        show?.(whole);
      };
      const staged = await stage(operation, admin, admin).catch((error: Error) => error);
      if (staged instanceof Error) {
        found({ fault: `not asked: ${staged.message}`, request: undefined, answered: undefined });
        continue;
      }
      const request = requestOf({
        operation,
        manner,
        seed: seed + round,
        subject: subjectOf(operation, staged),
      });
      const { status, fault, answered } = await tried(campaign, operation, request);
      asked += 1;
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (fault !== undefined) found({ fault, request, answered });
    }
    progress?.(round + 1, asked, findings.length);
  }
  return { asked, findings, statuses };
}

const mannerOf = (round: number): Manner => (round % 2 === 0 ? "valid" : "invalid");

/** What was staged, in addition to the description's example. */
function subjectOf({ parameters = [], requestBody }: Described, staged: Staged): Subject {
  const [media] = Object.values(requestBody?.content ?? {});
  const asked = parameters.filter((one) => one.in === "query" && one.example !== undefined);
  const shown = Object.fromEntries(asked.map(({ name, example }) => [name, example]));
  return {
    ...staged,
    query: { ...shown, ...staged.query },
    ...(staged.body && { body: { ...Object(media?.example), ...staged.body } }),
  };
}

type Chosen = {
  readonly operation: Described;
  readonly manner: Manner;
  readonly seed: number;
  readonly subject: Subject;
};

function requestOf({ operation, manner, seed, subject }: Chosen): AskedRequest {
  const [request] = fc.sample(requestsTo(operation, manner, subject), {
    seed: seed * 1009 + operations.indexOf(operation),
    numRuns: 1,
  });
  if (!request) throw new Error(`no request to ${operation.operationId}`);
  return request;
}

type Tried = {
  readonly status: number;
  readonly fault: string | undefined;
  readonly answered: Answered | undefined;
};

async function tried({ url, token }: Campaign, operation: Described, request: AskedRequest): Promise<Tried> {
  try {
    const answered = await ask(url, token, request);
    // A path that cannot be decoded leads to no route, whose answers would be in the form of its own protocol.
    const leadsNowhere = answered.status === 404 && !decodes(request.path.replace(/\?.*$/s, ""));
    const fault = leadsNowhere
      ? undefined
      : (answerFault(operation, answered, needsMore(operation.operationId)) ??
        (await decisionFault(operation, request, answered)));
    return { status: answered.status, answered, fault };
  } catch (error) {
    // No answer is a finding like any other: the campaign goes on.
    return { status: 0, answered: undefined, fault: `no answer: ${String(error)}` };
  }
}

const rows: Readonly<Record<string, Route>> = Object.assign({}, ...Object.values<RouteTable>(families));

const needsMore = (operationId: string): boolean => rows[operationId]?.refuses?.includes(503) ?? false;
