import {
  BUDGET_TOOL,
  type BudgetLimit,
  type BudgetQuestion,
  budgetQuestionOf,
  ID_PREFIX,
} from "../run/budget-question.ts";
import type { Execution } from "../run/execution.ts";
import type { RunState } from "../run/run-state.ts";
import { newToolCall } from "../tool/new-tool-call.ts";

/**
 * Adds a budget question to a run. It has the shape of a tool call that waits for an approval, so that clients,
 * approvals and continue treat it like any other; the model never sees it.
 */
export function requestBudget(state: RunState, question: BudgetQuestion, { ports }: Execution): RunState {
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

/** The value that a limit was raised to for this run; undefined when it was not raised. */
export function raisedTo(state: RunState, limit: BudgetLimit): number | undefined {
  const raises = state.tools.flatMap((call) => {
    const question = call.confirmed === true ? budgetQuestionOf(call) : undefined;
    return question?.limit === limit ? [question.raise_to] : [];
  });
  return raises.length > 0 ? Math.max(...raises) : undefined;
}

/** The text of a paused run about its open budget question; undefined when it waits for something else. */
export function budgetHint(state: RunState): string | undefined {
  const open = state.tools.filter(({ result, confirmed }) => result === null && confirmed === null);
  const question = open.map(budgetQuestionOf).find((asked) => asked !== undefined);
  if (!question) return undefined;
  const { limit, allowed, spent, needed, raise_to } = question;
  return `Waiting for a decision on the budget: ${limit} is ${allowed}, of which ${spent} is used, and the next model call may need ${needed}. Confirming raises it to ${raise_to} for this run.`;
}
