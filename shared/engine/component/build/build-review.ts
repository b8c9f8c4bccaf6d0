import * as v from "valibot";
import type { StepReview } from "../../define/workflow.ts";
import { type Built, unusable } from "./built.ts";
import { readSettings } from "./read-settings.ts";

const text = v.string();
const flag = v.boolean();
const field = v.pipe(
  v.object({
    name: text,
    field_type: v.picklist(["str", "int", "float", "bool", "list", "dict"]),
    description: v.nullish(text),
    required: v.nullish(flag),
    allowed_values: v.nullish(v.array(v.unknown())),
  }),
  v.transform(({ description, required, allowed_values, ...named }) => ({
    ...named,
    ...(description != null && { description }),
    ...(required != null && { required }),
    ...(allowed_values != null && { allowed_values }),
  })),
);

const reviewEntries = {
  requires_confirmation: flag,
  confirmation_message: text,
  requires_user_input: flag,
  user_input_message: text,
  user_input_schema: v.array(field),
  requires_output_review: flag,
  output_review_message: text,
  on_reject: v.picklist(["skip", "cancel", "else", "retry"]),
  max_retries: v.pipe(v.number(), v.integer(), v.minValue(0)),
  timeout: v.pipe(v.number(), v.minValue(1)),
  on_timeout: v.picklist(["cancel", "skip", "approve"]),
  on_error: v.picklist(["fail", "skip", "pause"]),
  requires_iteration_review: flag,
};

export type Reviewed = { readonly review?: StepReview; readonly on_error?: "fail" | "skip" | "pause" };

/**
 * The settings by which a person is asked about a step.
 *
 * @param path  of the settings in their config
 */
export function buildReview(config: unknown, path: string): Built<Reviewed> {
  if (config === undefined || config === null) return { value: {}, faults: [] };
  if (typeof config !== "object")
    return { value: {}, faults: [unusable(path, "human_review must be an object")] };
  const { value, faults } = readSettings({ ...config }, reviewEntries, path);
  const { timeout, on_error, requires_iteration_review, ...review } = value;
  const refused = unusable(`${path}.requires_iteration_review`, "requires_iteration_review is not supported");
  return {
    value: {
      review: { ...review, ...(timeout !== undefined && { timeout_seconds: timeout }) },
      ...(on_error && { on_error }),
    },
    faults: requires_iteration_review ? [...faults, refused] : faults,
  };
}
