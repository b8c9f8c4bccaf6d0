import * as v from "valibot";
import { RequirementAnswer } from "./requirement-answer.ts";

/**
 * A client's answer to one requirement of a paused workflow: the requirement as it was shown, with the answer in it.
 * Only the answer is read; the rest identifies the requirement.
 */
export const StepAnswer = v.object({
  step_id: v.string(),
  is_post_execution: v.nullish(v.boolean()),
  confirmed: v.nullish(v.boolean()),
  rejection_feedback: v.nullish(v.string()),
  user_input: v.nullish(v.record(v.string(), v.unknown())),
  user_input_schema: v.nullish(v.array(v.looseObject({ name: v.string(), value: v.optional(v.unknown()) }))),
  selected_choices: v.nullish(v.array(v.string())),
  edited_output: v.optional(v.unknown()),
  executor_requirements: v.nullish(v.array(RequirementAnswer)),
  /** For a failed step whose failure asks a person what to do. */
  decision: v.nullish(v.picklist(["retry", "skip"])),
});
export type StepAnswer = v.InferOutput<typeof StepAnswer>;
