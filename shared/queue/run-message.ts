import * as v from "valibot";

/** Names one hand-off of one attempt; the worker that receives it may resume the run. */
export const HandOffRef = v.object({ attempt: v.number(), number: v.number() });
export type HandOffRef = v.InferOutput<typeof HandOffRef>;

/** A wake-up for one job. Carries ids only: the job row is the truth. */
export const RunMessage = v.object({
  job_id: v.string(),
  /** Whose share of the slots the job needs, as its row says. */
  user_id: v.optional(v.nullable(v.string()), null),
  hop: v.optional(HandOffRef),
});
export type RunMessage = v.InferOutput<typeof RunMessage>;
