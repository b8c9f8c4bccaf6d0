import * as v from "valibot";

/** An argument of a call that a person fills in, or may see. @source docs/interface/runs.md 4.7 */
export const CallInputField = v.object({
  name: v.string(),
  /** str, int, float, bool, list or dict. */
  field_type: v.string(),
  description: v.nullable(v.string()),
  /** Null until it is filled in. */
  value: v.unknown(),
});
export type CallInputField = v.InferOutput<typeof CallInputField>;

const Option = v.object({
  label: v.string(),
  description: v.nullable(v.string()),
  selected: v.boolean(),
});

/** A question of a call; without options any text answers it. @source docs/interface/runs.md 4.7 */
export const CallQuestion = v.object({
  question: v.string(),
  header: v.string(),
  multi_select: v.boolean(),
  /** Null until it is answered. */
  selected_options: v.nullable(v.array(v.string())),
  options: v.optional(v.array(Option)),
});
export type CallQuestion = v.InferOutput<typeof CallQuestion>;
