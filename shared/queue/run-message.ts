import * as v from "valibot";

/** Names one hand-off of one attempt; the worker that receives it may resume the run. */
export const Hop = v.object({ attempt: v.number(), number: v.number() });
export type Hop = v.InferOutput<typeof Hop>;

/** A wake-up for one job. Carries ids only: the job row is the truth. */
export const RunMessage = v.object({ job_id: v.string(), hop: v.optional(Hop) });
export type RunMessage = v.InferOutput<typeof RunMessage>;
