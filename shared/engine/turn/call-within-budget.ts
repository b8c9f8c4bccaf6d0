import { requestBudget } from "../budget/budget-call.ts";
import { callBound } from "../budget/call-bound.ts";
import { type Held, holdBudget } from "../budget/hold-budget.ts";
import { noUsage, type Usage } from "../model/usage.ts";
import type { Execution } from "../run/execution.ts";
import type { RunState } from "../run/run-state.ts";
import type { Step } from "../run/step.ts";
import { callModel, type ModelCall } from "./call-model.ts";
import { traceModelCall } from "./trace-model-call.ts";

/** `instead` is the step to take when the call may not be made. */
export type BudgetedCall = ModelCall | { readonly ended: "not_made"; readonly instead: Step };

/**
 * Calls the model once, when every budget has room for the most that the call can spend.
 *
 *   hold the bound ─▶ call ─▶ settle what was used
 *   └─ no room: nothing is called, and a person is asked
 *
 * @param again  distinguishes a second call with the same messages
 *
 * A process that dies between hold and settle leaves the bound counted as spent, because what the provider charged is
 * not known.
 */
export async function callWithinBudget(
  state: RunState,
  execution: Execution,
  again = "",
): Promise<BudgetedCall> {
  const bound = await callBound(state.messages, execution);
  const held = await holdBudget(state, bound, `step-${callName(state, again)}`, execution);
  if (!held.held) return { ended: "not_made", instead: stepInstead(held, state, execution) };
  const { messages } = state;
  const name = callName(state, again);
  const call = await traceModelCall(messages, execution, () => callModel(messages, execution), name);
  await held.settle(usageOfCall(call, bound));
  return call;
}

/** The conversation grows with every call but those that go on with an answer, so its length names a call within a run. */
const callName = ({ messages, broken }: RunState, again: string): string =>
  `${messages.length}${broken === undefined ? "" : `-broken-${broken}`}${again}`;

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
