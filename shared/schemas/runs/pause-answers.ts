import * as v from "valibot";

/**
 * A client's answer to one call of a paused run: the call as it was shown, with the answers filled in. Only the answers
 * are read; the members that identify the call must be unchanged.
 */
export const ToolAnswer = v.looseObject({
  tool_call_id: v.string(),
  tool_name: v.nullish(v.string()),
  tool_args: v.nullish(v.record(v.string(), v.unknown())),
  confirmed: v.nullish(v.boolean()),
  confirmation_note: v.nullish(v.string()),
  user_input_schema: v.nullish(v.array(v.looseObject({ name: v.string(), value: v.optional(v.unknown()) }))),
  user_feedback_schema: v.nullish(
    v.array(v.looseObject({ question: v.string(), selected_options: v.nullish(v.array(v.string())) })),
  ),
  result: v.nullish(v.string()),
});
export type ToolAnswer = v.InferOutput<typeof ToolAnswer>;

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
