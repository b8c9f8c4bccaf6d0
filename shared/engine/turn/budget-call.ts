import type { ToolExecution } from "../../schemas/runs/run.ts";
import type { RunFault } from "../model/model-fault.ts";
import type { Execution } from "../run/execution.ts";
import {
  BUDGET_TOOL,
  type BudgetLimit,
  type BudgetQuestion,
  budgetQuestionOf,
  ID_PREFIX,
  type Step,
} from "../run/next-step.ts";
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

/**
 * Applies a person's answers about the budget to a run that resumes: a raised limit answers its question, a refused one
 * ends the run. Unanswered questions stay open.
 */
export function answerBudget(state: RunState): Step {
  const refused = state.tools.find((call) => isOpenQuestion(call) && call.confirmed === false);
  const answered = { ...state, tools: state.tools.map(withResult) };
  return refused
    ? { state: answered, ending: { kind: "failed", fault: refusal(refused) } }
    : { state: answered };
}

const isOpenQuestion = (call: ToolExecution): boolean =>
  call.result === null && budgetQuestionOf(call) !== undefined;

function withResult(call: ToolExecution): ToolExecution {
  const question = budgetQuestionOf(call);
  if (!question || call.result !== null || call.confirmed === null) return call;
  const result = call.confirmed
    ? `${question.limit} was raised to ${question.raise_to} for this run.`
    : (call.confirmation_note ?? `${question.limit} was not raised.`);
  return { ...call, result, tool_call_error: !call.confirmed };
}

const refusal = ({ confirmation_note }: ToolExecution): RunFault => ({
  cause: "input",
  text: confirmation_note ?? "The run reached its budget, and it was not raised.",
  thrown: undefined,
  error_type: "budget_exceeded",
});
