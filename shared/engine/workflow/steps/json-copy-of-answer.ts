import type { StepAnswer } from "../../define/workflow.ts";
import { jsonCopy } from "../../ports/json-copy.ts";

/** What a step's function gave, as the record will have it. @throws TypeError when it cannot be kept */
export function jsonCopyOfAnswer(answer: StepAnswer): StepAnswer {
  const { content, session_state } = answer;
  return {
    ...answer,
    ...(content !== undefined && { content: jsonCopy(content) }),
    ...(session_state && { session_state: jsonCopy(session_state) }),
  };
}
