import * as v from "valibot";
import type { ToolExecution } from "../../schemas/runs/run.ts";
import type { Execution } from "../execution.ts";
import { newToolCall } from "../new-tool-call.ts";
import type { RunState } from "../run-state.ts";

/** Name of the entry that stands for a question about money among a run's tool calls. */
const BUDGET_TOOL = "budget";
const ID_PREFIX = "budget-";

const budgetLimits = [
  "max_tokens_per_run",
  "max_cost_per_run",
  "daily_tokens_per_user",
  "daily_cost_per_user",
] as const;
export type BudgetLimit = (typeof budgetLimits)[number];

/** What is asked: to let this run go on up to `raise_to`. Tokens or dollars, as the limit counts. */
const BudgetQuestion = v.object({
  reason: v.literal("budget"),
  limit: v.picklist(budgetLimits),
  allowed: v.number(),
  spent: v.number(),
  needed: v.number(),
  raise_to: v.number(),
});
export type BudgetQuestion = v.InferOutput<typeof BudgetQuestion>;

/**
 * Adds the question to a run. It has the shape of a tool call that waits for an approval, so that clients, approvals
 * and continue treat it as any other; the model never sees it.
 */
export function askForBudget(state: RunState, question: BudgetQuestion, { ports }: Execution): RunState {
  const asked = newToolCall(
    {
      tool_call_id: `${ID_PREFIX}${state.tools.length + 1}`,
      tool_name: BUDGET_TOOL,
      tool_args: question,
      requires_confirmation: true,
      approval_type: "required",
    },
    ports,
  );
  return { ...state, tools: [...state.tools, asked] };
}

/** The question that an entry of a run's tool calls stands for; undefined when it is an ordinary call. */
export function budgetQuestionOf(call: ToolExecution): BudgetQuestion | undefined {
  if (call.tool_name !== BUDGET_TOOL || !call.tool_call_id.startsWith(ID_PREFIX)) return undefined;
  const parsed = v.safeParse(BudgetQuestion, call.tool_args);
  return parsed.success ? parsed.output : undefined;
}

/** What a limit was raised to for this run; undefined when nobody raised it. */
export function raisedTo(state: RunState, limit: BudgetLimit): number | undefined {
  const raises = state.tools.flatMap((call) => {
    const question = call.confirmed === true ? budgetQuestionOf(call) : undefined;
    return question?.limit === limit ? [question.raise_to] : [];
  });
  return raises.length > 0 ? Math.max(...raises) : undefined;
}

/** What a paused run tells about the question it waits with; undefined when it waits for something else. */
export function budgetHint(state: RunState): string | undefined {
  const open = state.tools.filter(({ result, confirmed }) => result === null && confirmed === null);
  const question = open.map(budgetQuestionOf).find((asked) => asked !== undefined);
  if (!question) return undefined;
  const { limit, allowed, spent, needed, raise_to } = question;
  return `Waiting for a decision on the budget: ${limit} is ${allowed}, of which ${spent} is used, and the next model call may need ${needed}. Confirming raises it to ${raise_to} for this run.`;
}
