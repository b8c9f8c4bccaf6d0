import { callModel, type ModelCall } from "../call-model.ts";
import type { Execution } from "../execution.ts";
import { noUsage, type Usage } from "../metrics.ts";
import type { RunState } from "../run-state.ts";
import type { BudgetQuestion } from "./budget-call.ts";
import { callBound } from "./call-bound.ts";
import { holdBudget } from "./hold-budget.ts";

export type BudgetedCall = ModelCall | { readonly ended: "over_budget"; readonly question: BudgetQuestion };

/**
 * Calls the model once, when every budget has room for the most that the call can spend.
 *
 *   hold the bound ─▶ call ─▶ settle what was used
 *   └─ no room: nothing is called, and a person is asked
 *
 * A process that dies between the two leaves its bound counted as spent: what the provider charged is not known.
 */
export async function callWithinBudget(state: RunState, execution: Execution): Promise<BudgetedCall> {
  const bound = callBound(state.messages, execution);
  // The conversation grows with every call, so its length names a call within an execution.
  const held = await holdBudget(state, bound, `step-${state.messages.length}`, execution);
  if (!held.held) return { ended: "over_budget", question: held.question };
  const call = await callModel(state.messages, execution);
  await held.settle(usedBy(call, bound));
  return call;
}

/**
 * A call that broke off before its first word was refused and is free; one that broke off later was charged, nobody
 * says how much.
 */
function usedBy({ ended, turn }: ModelCall, bound: Usage): Usage {
  if (ended === "answered" || turn.usage.output_tokens > 0) return turn.usage;
  return turn.first_token_at_ms === null ? noUsage : bound;
}
