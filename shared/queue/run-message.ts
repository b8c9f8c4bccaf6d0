import * as v from "valibot";

/** A wake-up for one job. Carries the id only: the job row is the truth. */
export const RunMessage = v.object({ job_id: v.string() });
export type RunMessage = v.InferOutput<typeof RunMessage>;
