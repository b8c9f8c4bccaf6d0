import * as v from "valibot";
import { openCallQuestions } from "../../domain/runs/open-requirements.ts";
import type { ToolExecution } from "../../schemas/runs/run.ts";
import { hasEnded, type MemberRun, type RunState, runsOfCall } from "./run-state.ts";

export type NextStep = "call_model" | "run_tools" | "pause" | "answer";

/**
 * The next step of a run. It depends on the state alone, so that every process decides the same.
 *
 * @decided  A member's run in progress ends or pauses before its team pauses for something else.
 */
export function nextStep(state: RunState): NextStep {
  const pending = pendingCalls(state);
  if (pending.some((call) => isUnderWay(call, state))) return "run_tools";
  if (pending.some((call) => needsPerson(call, state))) return "pause";
  if (pending.length > 0) return "run_tools";
  return hasAnswered(state) ? "answer" : "call_model";
}

/** The pending calls that the next batch executes; see `awaitsPerson`. */
export function dueCalls(state: RunState): ToolExecution[] {
  const pending = pendingCalls(state);
  const isBlocked = pending.some((call) => needsPerson(call, state));
  return pending.filter((call) => (isBlocked ? isUnderWay(call, state) : true));
}

/** Whether a call cannot proceed before a person answers. */
export const needsPerson = (call: ToolExecution, state: RunState): boolean =>
  awaitsPerson(call) || (!isUnderWay(call, state) && runsOfCall(state, call).some(waitsForPerson));

/** Whether a call has a member's run that has not ended and waits for no person. */
export const isUnderWay = (call: ToolExecution, state: RunState): boolean =>
  runsOfCall(state, call).some((run) => !hasEnded(run) && !waitsForPerson(run));

/** Whether a member's run is paused for a person who has not answered yet. */
export const waitsForPerson = ({ state, output }: MemberRun): boolean =>
  output?.status === "PAUSED" && state !== undefined && nextStep(state) === "pause";

/** Whether the model has answered, or a tool whose result is the answer. */
export function hasAnswered({ messages, broken }: RunState): boolean {
  if (broken !== undefined) return false;
  const lastTurn = messages.findLastIndex(({ role }) => role !== "tool");
  const results = messages.slice(lastTurn + 1);
  if (results.length === 0) return messages[lastTurn]?.role === "assistant";
  return results.some((result) => result.stop_after_tool_call);
}

/** Calls whose result the model has not seen. It never sees a budget question; that one is pending until answered. */
export function pendingCalls({ messages, tools }: RunState): ToolExecution[] {
  const answeredIds = new Set(
    messages.filter((message) => !message.from_history).map(({ tool_call_id }) => tool_call_id),
  );
  const isAnsweredBudget = (call: ToolExecution) =>
    call.result !== null && budgetQuestionOf(call) !== undefined;
  return tools.filter((call) => !answeredIds.has(call.tool_call_id) && !isAnsweredBudget(call));
}

/**
 * @decided  A batch in which any call waits for a person runs no call at all until it is answered: the person
 *           who decides sees the whole plan, and the batch stays one step.
 */
export const awaitsPerson = (call: ToolExecution): boolean => openCallQuestions(call).length > 0;

/** Tool name of the entry that stands for a budget question among a run's tool calls. */
export const BUDGET_TOOL = "budget";

export const ID_PREFIX = "budget-";

export const budgetLimits = [
  "max_tokens_per_run",
  "max_cost_per_run",
  "daily_tokens_per_user",
  "daily_cost_per_user",
  "daily_tokens_per_account",
  "daily_cost_per_account",
] as const;

export type BudgetLimit = (typeof budgetLimits)[number];

/** Asks a person to raise the limit to `raise_to` for this run. Amounts are tokens or dollars, as the limit counts. */
export const BudgetQuestion = v.object({
  reason: v.literal("budget"),
  limit: v.picklist(budgetLimits),
  allowed: v.number(),
  spent: v.number(),
  needed: v.number(),
  raise_to: v.number(),
});
export type BudgetQuestion = v.InferOutput<typeof BudgetQuestion>;

/** The budget question in an entry of a run's tool calls; undefined when it is an ordinary call. */
export function budgetQuestionOf(call: ToolExecution): BudgetQuestion | undefined {
  if (call.tool_name !== BUDGET_TOOL || !call.tool_call_id.startsWith(ID_PREFIX)) return undefined;
  const parsed = v.safeParse(BudgetQuestion, call.tool_args);
  return parsed.success ? parsed.output : undefined;
}
