import type { ToolExecution } from "../../schemas/runs/run.ts";
import type { RunFault } from "../model/model-fault.ts";
import { budgetQuestionOf } from "../run/budget-question.ts";
import type { RunState } from "../run/run-state.ts";
import type { Step } from "../run/step.ts";

/**
 * Takes a person's answers about the budget into a run that goes on: a raised limit settles its question, a refused
 * one ends the run. Unanswered questions are left as they are.
 */
export function answerBudget(state: RunState): Step {
  const refused = state.tools.find((call) => isOpenQuestion(call) && call.confirmed === false);
  const answered = { ...state, tools: state.tools.map(settled) };
  return refused
    ? { state: answered, ending: { kind: "failed", fault: refusal(refused) } }
    : { state: answered };
}

const isOpenQuestion = (call: ToolExecution): boolean =>
  call.result === null && budgetQuestionOf(call) !== undefined;

function settled(call: ToolExecution): ToolExecution {
  const question = budgetQuestionOf(call);
  if (!question || call.result !== null || call.confirmed === null) return call;
  const result = call.confirmed
    ? `${question.limit} was raised to ${question.raise_to} for this run.`
    : (call.confirmation_note ?? `${question.limit} was not raised.`);
  return { ...call, result, tool_call_error: !call.confirmed };
}

const refusal = ({ confirmation_note }: ToolExecution): RunFault => ({
  cause: "input",
  text: confirmation_note ?? "The run reached its budget, and nobody raised it.",
  thrown: undefined,
  error_type: "budget_exceeded",
});
