import * as v from "valibot";
import { meaning } from "../values/described-as.ts";
import { fault } from "../values/fields.ts";
import { jobSelection } from "./job-selection.ts";

const wholeNumber = (min: number, max: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max));

/** Which jobs are requeued, and how. Unknown members are refused: an ignored filter would select more than intended. */
export const RequeueJobsBody = v.objectWithRest(
  {
    status: meaning(
      v.optional(v.pipe(v.array(v.picklist(["failed", "cancelled"])), v.nonEmpty()), ["failed"]),
      "Only jobs in any of these states",
    ),
    ...jobSelection,
    force: meaning(
      v.optional(v.boolean(), false),
      "Also jobs that failed so recently that their worker may still be alive",
    ),
    clear_cancellation: meaning(
      v.optional(v.boolean(), false),
      "Also cancelled jobs whose cancellation is still live",
    ),
    per_second: meaning(v.optional(wholeNumber(1, 100), 20), "How many become due in a second"),
  },
  v.never(fault("extra_forbidden", "Extra inputs are not permitted")),
);

export const RequeuedJobs = v.object({
  dry_run: v.boolean(),
  /** Jobs that were selected, at most `limit`: those requeued and those refused. */
  matched: v.number(),
  /** The oldest first; in a dry run those that would be requeued. */
  requeued: v.array(v.string()),
  refused: v.array(v.object({ id: v.string(), detail: v.string() })),
  /** Whether more jobs may match: beyond `limit`, or beyond what one request reads. */
  more: v.boolean(),
});
export type RequeuedJobs = v.InferOutput<typeof RequeuedJobs>;
