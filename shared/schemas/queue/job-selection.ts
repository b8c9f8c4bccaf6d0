import * as v from "valibot";

/** Which jobs a request acts on beside their status, the oldest first; a dry run unless it says otherwise. */
export const jobSelection = {
  component_id: v.optional(v.string()),
  user_id: v.optional(v.pipe(v.string(), v.nonEmpty())),
  /** Inclusive bounds on the acceptance, epoch seconds. */
  created_after: v.optional(v.pipe(v.number(), v.integer())),
  created_before: v.optional(v.pipe(v.number(), v.integer())),
  /** A part of the error's text, case-sensitive. */
  error_contains: v.optional(v.pipe(v.string(), v.nonEmpty())),
  limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)), 100),
  dry_run: v.optional(v.boolean(), true),
};
