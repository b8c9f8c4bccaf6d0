import type { CallToolResult, Client } from "@modelcontextprotocol/client";
import * as v from "valibot";
import { isObject, parsedJson } from "../../../schemas/values/json-values.ts";
import { type CallWait, callWaits, type Elsewhere } from "../elsewhere.ts";
import { Asked, askedOf, responsesTo } from "./mcp-questions.ts";
import { cancelTask, followTask, KeptTask, type Tasks, taskIn, updateTask } from "./mcp-task.ts";

/** What a server has asked, which is called again with the answers. */
const KeptRound = v.object({ by: v.literal("state"), state: v.optional(v.string()), asked: Asked });
const Kept = v.variant("by", [KeptRound, KeptTask]);
export type Kept = v.InferOutput<typeof Kept>;

/** What a server may want back is bounded: it is stored with the session. */
const MAX_STATE_BYTES = 64 * 1024;
/** How often a server may have a call made again without asking anything. */
const MAX_ROUNDS = 10;

/** What a call says again, beside its arguments, which stay the same. */
export type Round = {
  readonly requestState?: string;
  readonly inputResponses?: ReturnType<typeof responsesTo>;
};

export type RoundsOf = Tasks & {
  /** As people know it. */
  readonly server: string;
  readonly asksPeople: boolean;
  readonly elsewhere: Elsewhere;
  /** Makes the call. */
  readonly send: (round: Round) => Promise<Awaited<ReturnType<Client["callTool"]>>>;
};

/**
 * Makes a call, in as many rounds as its server wants:
 *
 *   called ─┬─ answer ─▶ done
 *           ├─ input_required ─▶ a person is asked ─▶ called again, with the answers and what the server wants back
 *           └─ task ─▶ kept, asked for until it has ended ─┬─ done
 *                                                          └─ input_required ─▶ a person is asked ─▶ update, asked for again
 *
 * @returns the answer, or what the call waits for
 * @throws Error with a text for the model
 * @source  Model Context Protocol 2026-07-28, "Multi round-trip requests"; its extension of tasks
 */
export async function callInRounds(of: RoundsOf): Promise<CallToolResult | CallWait> {
  const { elsewhere } = of;
  const kept = elsewhere.resumed && v.parse(Kept, parsedJson(elsewhere.resumed.kept));
  const responses = kept?.asked && responsesTo(kept.asked, elsewhere.resumed?.values ?? {});
  if (kept?.by === "task") {
    if (responses) await updateTask(of, kept, responses);
    return afterTask(of, kept, true);
  }
  let round: Round = roundOf(kept?.state, responses);
  for (let rounds = 0; rounds < MAX_ROUNDS; rounds += 1) {
    const answer: unknown = await of.send(round);
    const asked = inputIn(answer);
    if (!asked) return afterCall(of, answer as CallToolResult); // as the client has parsed it
    if (Buffer.byteLength(asked.state ?? "") > MAX_STATE_BYTES)
      throw new Error(`${of.server} wants more back than is kept for it.`);
    if (Object.keys(asked.requests).length > 0)
      return askPerson(of, asked.requests, { by: "state", state: asked.state });
    round = roundOf(asked.state, undefined);
  }
  throw new Error(`${of.server} had the call made ${MAX_ROUNDS} times.`);
}

const roundOf = (state: string | undefined, responses: Round["inputResponses"]): Round => ({
  ...(state !== undefined && { requestState: state }),
  ...(responses && { inputResponses: responses }),
});

/** What an answer wants first; undefined for one that is over. */
function inputIn(answer: unknown) {
  if (!isObject(answer) || answer.resultType !== "input_required") return undefined;
  const { inputRequests, requestState } = answer;
  return {
    requests: isObject(inputRequests) ? inputRequests : {},
    state: typeof requestState === "string" ? requestState : undefined,
  };
}

async function afterCall(of: RoundsOf, answer: CallToolResult): Promise<CallToolResult | CallWait> {
  const task = taskIn(answer);
  if (!task) return answer;
  await of.elsewhere.keep({ server: of.server, follows: true, kept: JSON.stringify(task) });
  return afterTask(of, task, false);
}

async function afterTask(of: RoundsOf, task: KeptTask, isDue: boolean): Promise<CallToolResult | CallWait> {
  const end = await followTask(of, task, of.elsewhere, isDue);
  switch (end.ended) {
    case "completed":
      return end.result;
    case "yielded":
      return callWaits({ for: "process" });
    case "asked":
      return askPerson(of, end.requests, { by: "task", task_id: task.task_id, poll_ms: task.poll_ms });
  }
}

type Unasked = { by: "state"; state: string | undefined } | Omit<KeptTask, "asked">;

function askPerson(of: RoundsOf, requests: Readonly<Record<string, unknown>>, kept: Unasked): CallWait {
  if (!of.asksPeople) throw new Error(`${of.server} asks for input of a person, which is declined here.`);
  const { asked, question } = askedOf(requests);
  return callWaits({
    for: "person",
    server: of.server,
    follows: kept.by === "task",
    kept: JSON.stringify({ ...kept, asked }),
    question,
  });
}

/** Ends what a call has become that goes on at its server. @param kept what was kept of it */
export async function abandonTask(of: Tasks, kept: string): Promise<void> {
  const known = v.parse(Kept, parsedJson(kept));
  if (known.by === "task") await cancelTask(of, known);
}
