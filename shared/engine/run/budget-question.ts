import * as v from "valibot";
import type { ToolExecution } from "../../schemas/runs/run.ts";

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
