import type { ToolExecution } from "../../schemas/runs/run.ts";
import type { RunFault } from "../model/model-fault.ts";
import { budgetQuestionOf } from "../run/budget-question.ts";
import type { RunState } from "../run/run-state.ts";
import type { Step } from "../run/step.ts";

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
