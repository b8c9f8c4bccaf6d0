import type { AnswerShape } from "../define/answer-shape.ts";
import { correctionText } from "../model/correction-text.ts";
import type { RunFault } from "../model/model-fault.ts";
import type { Execution } from "../run/execution.ts";
import { newMessage } from "../run/new-message.ts";
import type { RunState } from "../run/run-state.ts";
import type { Step } from "../run/step.ts";
import { checkAnswer } from "./check-answer.ts";

/**
 * Ends a run whose answer has the requested shape. An invalid answer is returned to the model once, with the reason;
 * after that the run fails.
 */
export async function validateAnswer(
  state: RunState,
  shape: AnswerShape,
  { ports }: Execution,
): Promise<Step> {
  const checked = await checkAnswer(shape, state.messages.at(-1)?.content ?? "");
  if (checked.verdict === "valid") {
    return { state, ending: { kind: "answered", structured: { value: checked.value, type: shape.name } } };
  }
  if (checked.verdict === "uncheckable") {
    const text = `The answer could not be held against the schema of ${shape.name}. ${checked.reason}`;
    return failed(state, { cause: "input", text, thrown: checked.thrown ?? new Error(text) });
  }
  if (state.corrected) {
    const text = `The model did not answer with ${shape.name}, even when corrected: ${checked.reason}`;
    return failed(state, { cause: "model", text, thrown: new Error(text) });
  }
  const correction = newMessage({ role: "user", content: correctionText(checked.reason) }, ports);
  const passed = [...(state.passed ?? []), correction.id];
  return { state: { ...state, messages: [...state.messages, correction], passed, corrected: true } };
}

const failed = (state: RunState, fault: RunFault): Step => ({ state, ending: { kind: "failed", fault } });
