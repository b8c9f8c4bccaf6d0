import * as v from "valibot";

/** What a session amounts to, in a few sentences. @source contract, sessions section 4, SessionItem */
export const SessionSummary = v.object({
  summary: v.string(),
  topics: v.optional(v.array(v.string())),
  /** ISO 8601, UTC. */
  updated_at: v.optional(v.string()),
});
export type SessionSummary = v.InferOutput<typeof SessionSummary>;
