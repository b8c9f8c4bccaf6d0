import * as v from "valibot";
import { ToolAnswer } from "./tool-answer.ts";

/**
 * A client's answer to a requirement of a paused team: the requirement as it was shown, with the answers filled in, in
 * the requirement itself or in its call. It is identified by its id, or by its call and its member's run.
 */
export const RequirementAnswer = v.looseObject({
  id: v.nullish(v.string()),
  member_run_id: v.nullish(v.string()),
  confirmation: v.nullish(v.boolean()),
  confirmation_note: v.nullish(v.string()),
  external_execution_result: v.nullish(v.string()),
  user_input_schema: ToolAnswer.entries.user_input_schema,
  user_feedback_schema: ToolAnswer.entries.user_feedback_schema,
  tool_execution: v.nullish(ToolAnswer),
});
export type RequirementAnswer = v.InferOutput<typeof RequirementAnswer>;
