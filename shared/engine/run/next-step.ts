import { openCallQuestions } from "../../domain/runs/open-requirements.ts";
import type { ToolExecution } from "../../schemas/runs/run.ts";
import { budgetQuestionOf } from "./budget-question.ts";
import { hasEnded, runsOfCall } from "./member-run.ts";
import type { MemberRun, RunState } from "./run-state.ts";

export type NextStep = "call_model" | "run_tools" | "pause" | "answer";

/**
 * What a run does next. Follows from the state alone, so that any process that holds it decides the same.
 *
 * @decided  A member's run that is under way comes to rest before its team pauses for something else.
 */
export function nextStep(state: RunState): NextStep {
  const pending = pendingTools(state);
  if (pending.some((call) => isUnderWay(call, state))) return "run_tools";
  if (pending.some((call) => waits(call, state))) return "pause";
  if (pending.length > 0) return "run_tools";
  return hasAnswered(state) ? "answer" : "call_model";
}

/** The pending calls that the next batch settles; see `awaitsPerson`. */
export function dueCalls(state: RunState): ToolExecution[] {
  const pending = pendingTools(state);
  const isHeld = pending.some((call) => waits(call, state));
  return pending.filter((call) => (isHeld ? isUnderWay(call, state) : true));
}

/** Whether a person must be asked before anything can become of a call. */
export const waits = (call: ToolExecution, state: RunState): boolean =>
  awaitsPerson(call) || (!isUnderWay(call, state) && runsOfCall(state, call).some(isWaiting));

/** Whether a member works on a call, or would if it were let. */
export const isUnderWay = (call: ToolExecution, state: RunState): boolean =>
  runsOfCall(state, call).some((run) => !hasEnded(run) && !isWaiting(run));

/** Whether a member's run has said that it waits for a person, and nobody has answered. */
export const isWaiting = ({ state, output }: MemberRun): boolean =>
  output?.status === "PAUSED" && state !== undefined && nextStep(state) === "pause";

/** The model has spoken, or a tool whose result is the answer. */
export function hasAnswered({ messages }: RunState): boolean {
  const lastWord = messages.findLastIndex(({ role }) => role !== "tool");
  const results = messages.slice(lastWord + 1);
  if (results.length === 0) return messages[lastWord]?.role === "assistant";
  return results.some((result) => result.stop_after_tool_call);
}

/** Calls that the model has not been told the result of. Of a question about the budget it never is. */
export function pendingTools({ messages, tools }: RunState): ToolExecution[] {
  const told = new Set(
    messages.filter((message) => !message.from_history).map(({ tool_call_id }) => tool_call_id),
  );
  const isSettled = (call: ToolExecution) => call.result !== null && budgetQuestionOf(call) !== undefined;
  return tools.filter((call) => !told.has(call.tool_call_id) && !isSettled(call));
}

/**
 * @decided  A batch in which any call waits for a person runs no call at all until it is answered: whoever decides
 *           sees the whole plan, and the batch stays one step.
 */
export const awaitsPerson = (call: ToolExecution): boolean => openCallQuestions(call).length > 0;
