import * as v from "valibot";
import { maxChars } from "../values/max-chars.ts";

/** Longest text of a filter of jobs, in characters. No id is longer. */
export const MAX_JOB_FILTER_CHARS = 1000;

const Filter = v.pipe(v.string(), v.nonEmpty(), maxChars(MAX_JOB_FILTER_CHARS));

/** Which jobs a request acts on beside their status, the oldest first; a dry run unless it says otherwise. */
export const jobSelection = {
  component_id: v.optional(Filter),
  user_id: v.optional(Filter),
  /** Inclusive bounds on the acceptance, epoch seconds. */
  created_after: v.optional(v.pipe(v.number(), v.integer())),
  created_before: v.optional(v.pipe(v.number(), v.integer())),
  /** A part of the error's text, case-sensitive. */
  error_contains: v.optional(Filter),
  limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)), 100),
  dry_run: v.optional(v.boolean(), true),
};
