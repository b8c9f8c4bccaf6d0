import type { Message } from "../../schemas/runs/run.ts";
import type { Agent } from "../define/agent.ts";
import type { RunFault } from "../model/model-fault.ts";
import { noUsage, type Usage } from "../model/usage.ts";
import type { SpanEnd, SpanStart } from "../ports/tracing.ts";
import type { Execution } from "../run/execution.ts";
import { goesOn, type Limited, type LoopLimit, reachedLimit, type Step } from "../run/next-step.ts";
import type { RunState } from "../run/run-state.ts";
import { shownMessages } from "../run/shown-messages.ts";
import { requestBudget } from "./budget-call.ts";
import { promptTools } from "./build-prompt.ts";
import { callModel, type ModelCall, type ModelTurn } from "./call-model.ts";
import { callBound, type Held, holdBudget, outputLimit } from "./hold-budget.ts";
import { guardedCall } from "./output-guards.ts";

/** `instead` is the step to take when the call may not be made. */
export type BudgetedCall = ModelCall | { readonly ended: "not_made"; readonly instead: Step };

/**
 * Calls the model once, when every budget has room for the most that the call can spend.
 *
 *   hold the bound ─▶ call ─▶ settle what was used
 *   └─ no room: nothing is called, and a person is asked
 *
 * A process that dies between hold and settle leaves the bound counted as spent, because what the provider charged is
 * not known.
 */
export async function callWithinBudget(state: RunState, execution: Execution): Promise<BudgetedCall> {
  const messages = shownMessages(state, execution.request);
  const bound = await callBound(messages, execution);
  const name = String(state.calls);
  const held = await holdBudget(state, bound, `step-${name}`, execution);
  if (!held.held) return { ended: "not_made", instead: stepInstead(held, state, execution) };
  const call = await traceModelCall(
    messages,
    execution,
    () => guardedCall(state, execution, (held) => callModel(state, held)),
    name,
  );
  await held.settle(usageOfCall(call, bound));
  return call;
}

/** The step to take when a call may not be made. */
export function stepInstead(refused: Held & { held: false }, state: RunState, execution: Execution): Step {
  if ("fault" in refused) return { state, ending: { kind: "failed", fault: refused.fault } };
  return { state: requestBudget(state, refused.question, execution) };
}

/**
 * A call that broke off before its first token was refused and costs nothing. One that broke off later was charged an
 * unknown amount, so its bound counts.
 */
function usageOfCall({ ended, turn }: ModelCall, bound: Usage): Usage {
  if (ended === "answered" || isReported(turn.usage)) return turn.usage;
  return turn.first_token_at_ms === null ? noUsage : bound;
}

const isReported = ({ output_tokens, usage_estimated }: Usage): boolean =>
  output_tokens > 0 && !usage_estimated;

/** A call that another process resumes. */
type Unfinished = { readonly ended: "yielded"; readonly turn: ModelTurn };

/** Makes a model call within a span. A call that was aborted leaves the span open. */
export async function traceModelCall<Call extends ModelCall | Unfinished>(
  messages: readonly Message[],
  execution: Execution,
  call: () => Promise<Call>,
  name: string,
): Promise<Call> {
  const span = execution.ports.span?.child(
    modelSpan(`model:${name}`, messages, execution, execution.agent.temperature),
  );
  const result = await call();
  if (result.ended === "yielded") return result;
  if (result.ended === "answered") span?.end(answered(result.turn));
  else if (!execution.ports.signal.aborted) {
    span?.end({ error: result.fault.text, error_type: result.fault.cause, usage: result.turn.usage });
  }
  return result;
}

/**
 * @param key          unique for the call within its run
 * @param temperature  what the model is asked with
 */
export function modelSpan(
  key: string,
  messages: readonly Message[],
  execution: Execution,
  temperature?: number,
): SpanStart {
  const { model, answer, ports, spec } = execution;
  const max_tokens = outputLimit(execution);
  const server_address = ports.models.serverOf?.(spec);
  return {
    key,
    name: `${model.id}.invoke`,
    kind: "LLM",
    input: JSON.stringify(unseenMessages(messages)),
    facts: {
      ...{ model: model.id, provider: model.provider, streams: true },
      output_type: answer ? "json" : "text",
      ...(max_tokens !== undefined && { max_tokens }),
      ...(temperature !== undefined && { temperature }),
      ...(server_address !== undefined && { server_address }),
    },
    prompt: () => ({
      instructions: messages.flatMap(({ role, content }) => (role === "system" && content ? [content] : [])),
      tools: promptTools(execution.tools).map(({ name, description = "", inputSchema: parameters }) => ({
        ...{ name, description, parameters },
      })),
    }),
  };
}

/** The messages that the model has not seen before; earlier ones are in the spans of earlier calls. */
const unseenMessages = (messages: readonly Message[]) =>
  messages
    .slice(messages.findLastIndex(({ role }) => role === "assistant") + 1)
    .map(({ role, content = "", context }) => ({ role, content, ...(context && { context }) }));

function answered(turn: ModelTurn): SpanEnd {
  const { text, calls, usage, prompt, finish_reason, response, started_at_ms, first_token_at_ms } = turn;
  const toolCalls = calls.map(({ name, arguments: args }) => ({ name, arguments: args }));
  const output =
    toolCalls.length === 0 ? text : JSON.stringify({ ...(text && { text }), tool_calls: toolCalls });
  const ended = toolCalls.length > 0 ? "tool_call" : "stop";
  return {
    output,
    usage,
    finish_reason: finish_reason === "content-filter" ? "content_filter" : (finish_reason ?? ended),
    ...(first_token_at_ms !== null && { time_to_first_chunk: (first_token_at_ms - started_at_ms) / 1000 }),
    ...(response && { response }),
    ...(prompt?.broken && { cache_break: prompt.broken }),
  };
}

type Usable = { readonly turn: ModelTurn; readonly fault?: RunFault };

/**
 * What of a model's answer counts. In the last call of a run no tool can be called: calls are dropped, and without a text
 * the run fails. So does a run whose answer was filtered as a whole.
 *
 * @param messages  those that the model was shown
 */
export function usableTurn(turn: ModelTurn, messages: readonly Message[], agent: Limited): Usable {
  const { text, calls, finish_reason } = turn;
  if (finish_reason === "content-filter" && text === "" && calls.length === 0)
    return { turn, fault: filtered };
  if (text === "" && calls.length === 0 && finish_reason === "length") return { turn, fault: spent };
  if (isEmpty(turn) && !goesOn(messages)) return { turn, fault: empty };
  const limit = reachedLimit(agent, messages);
  if (!limit || calls.length === 0) return { turn };
  const answer = { ...turn, calls: [] };
  return text === "" ? { turn: answer, fault: noAnswer(limit, agent) } : { turn: answer };
}

/** Whether a model has ended its answer without saying or doing anything. */
export const isEmpty = ({ text, calls, media, finish_reason }: ModelTurn): boolean =>
  text.trim() === "" && calls.length === 0 && media === undefined && finish_reason === undefined;

const empty: RunFault = {
  cause: "model",
  text: "The model gave an empty answer, also when it was asked again.",
  thrown: undefined,
};

const spent: RunFault = {
  cause: "model",
  text: "The model reached the limit of its output before it answered.",
  thrown: undefined,
  error_type: "length",
};

const filtered: RunFault = {
  cause: "input",
  text: "The model refused to answer, or a filter of its service removed the answer.",
  thrown: undefined,
  error_type: "content_filter",
};

/** The fault of a run whose model does not answer at its limit. */
export const noAnswer = (limit: LoopLimit, agent: Pick<Agent, LoopLimit>): RunFault => ({
  cause: "model",
  text: `The run reached its ${limit} of ${agent[limit]}, and the model would not answer without more tools.`,
  thrown: undefined,
  error_type: limit === "loop_limit" ? "loop" : limit,
});
