import { keptCopy } from "../kept-copy.ts";
import type { StepAnswer } from "./workflow.ts";

/** What a step's function gave, as the record will have it. @throws TypeError when it cannot be kept */
export function keptAnswer(answer: StepAnswer): StepAnswer {
  const { content, session_state } = answer;
  return {
    ...answer,
    ...(content !== undefined && { content: keptCopy(content) }),
    ...(session_state && { session_state: keptCopy(session_state) }),
  };
}
