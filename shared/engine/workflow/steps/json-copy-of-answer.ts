import type { StepAnswer } from "../../define/workflow.ts";
import { jsonCopy } from "../../ports/json-copy.ts";

/** A function's answer as it will be stored. @throws TypeError when it cannot be stored as JSON */
export function jsonCopyOfAnswer(answer: StepAnswer): StepAnswer {
  const { content, session_state } = answer;
  return {
    ...answer,
    ...(content !== undefined && { content: jsonCopy(content) }),
    ...(session_state && { session_state: jsonCopy(session_state) }),
  };
}
