import * as v from "valibot";
import { meaning } from "../values/described-as.ts";
import { maxChars } from "../values/max-chars.ts";

/** Longest text of a filter of jobs, in characters. No id is longer. */
export const MAX_JOB_FILTER_CHARS = 1000;

const Filter = v.pipe(v.string(), v.nonEmpty(), maxChars(MAX_JOB_FILTER_CHARS));

/** Which jobs a request acts on beside their status, the oldest first; a dry run unless it says otherwise. */
export const jobSelection = {
  component_id: meaning(v.optional(Filter), "Only of this agent, team or workflow"),
  user_id: meaning(v.optional(Filter), "Only of this user"),
  created_after: meaning(
    v.optional(v.pipe(v.number(), v.integer())),
    "Not before this time, in epoch seconds",
  ),
  created_before: meaning(
    v.optional(v.pipe(v.number(), v.integer())),
    "Not after this time, in epoch seconds",
  ),
  error_contains: meaning(v.optional(Filter), "A part of the error's text, case-sensitive"),
  limit: meaning(
    v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)), 100),
    "How many at most, the oldest first",
  ),
  dry_run: meaning(v.optional(v.boolean(), true), "Whether to report only what would be done"),
};
