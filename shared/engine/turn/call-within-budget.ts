import { requestBudget } from "../budget/budget-call.ts";
import { callBound } from "../budget/call-bound.ts";
import { type Held, holdBudget } from "../budget/hold-budget.ts";
import { noUsage, type Usage } from "../model/usage.ts";
import type { Execution } from "../run/execution.ts";
import type { RunState } from "../run/run-state.ts";
import type { Step } from "../run/step.ts";
import { callModel, type ModelCall } from "./call-model.ts";
import { guardedCall } from "./guard-turn.ts";
import { traceModelCall } from "./trace-model-call.ts";

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
  const bound = callBound(state.messages, execution);
  // The conversation grows with every call, so its length names a call within an execution.
  const held = await holdBudget(state, bound, `step-${state.messages.length}`, execution);
  if (!held.held) return { ended: "not_made", instead: stepInstead(held, state, execution) };
  const { messages } = state;
  const call = await traceModelCall(messages, execution, () =>
    guardedCall(state, execution, (held) => callModel(messages, held)),
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
  if (ended === "answered" || turn.usage.output_tokens > 0) return turn.usage;
  return turn.first_token_at_ms === null ? noUsage : bound;
}
