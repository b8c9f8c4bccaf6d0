import * as v from "valibot";
import { meaning } from "../values/described-as.ts";
import { fault } from "../values/fields.ts";
import { jobSelection } from "./job-selection.ts";

/** Which jobs are cancelled. Unknown members are refused: an ignored filter would select more than intended. */
export const CancelJobsBody = v.objectWithRest(
  {
    status: meaning(
      v.optional(v.pipe(v.array(v.picklist(["queued", "running", "paused"])), v.nonEmpty()), ["queued"]),
      "Only jobs in any of these states",
    ),
    ...jobSelection,
  },
  v.never(fault("extra_forbidden", "Extra inputs are not permitted")),
);

export const CancelledJobs = v.object({
  dry_run: v.boolean(),
  /** Jobs that were selected, at most `limit`: those cancelled and those refused. */
  matched: v.number(),
  /** The oldest first; running ones stop at their next checkpoint. In a dry run those that would be cancelled. */
  cancelled: v.array(v.string()),
  refused: v.array(v.object({ id: v.string(), detail: v.string() })),
  /** Whether more jobs may match: beyond `limit`, or beyond what one request reads. */
  more: v.boolean(),
});
export type CancelledJobs = v.InferOutput<typeof CancelledJobs>;
