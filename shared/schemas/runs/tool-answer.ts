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
