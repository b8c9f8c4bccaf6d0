import type { StepAnswer } from "../../define/workflow.ts";
import { keptCopy } from "../../ports/kept-copy.ts";

/** What a step's function gave, as the record will have it. @throws TypeError when it cannot be kept */
export function keptAnswer(answer: StepAnswer): StepAnswer {
  const { content, session_state } = answer;
  return {
    ...answer,
    ...(content !== undefined && { content: keptCopy(content) }),
    ...(session_state && { session_state: keptCopy(session_state) }),
  };
}
