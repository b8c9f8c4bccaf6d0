import * as v from "valibot";
import { meaning } from "../values/described-as.ts";
import { fault } from "../values/fields.ts";
import { KeyText } from "../values/key-text.ts";

const liveStatuses = ["PENDING", "RUNNING", "PAUSED"] as const;
const instant = v.optional(v.pipe(v.number(), v.integer()));

/** Which runs are cancelled. Unknown members are refused: an ignored filter would select more than intended. */
export const CancelRunsBody = v.objectWithRest(
  {
    component_type: meaning(
      v.optional(v.picklist(["agent", "team", "workflow"])),
      "Only runs of components of this kind",
    ),
    component_id: meaning(v.optional(KeyText), "Only of this agent, team or workflow"),
    user_id: meaning(v.optional(KeyText), "Only of this user; for whoever is no admin it is the caller"),
    status: meaning(
      v.optional(v.pipe(v.array(v.picklist(liveStatuses)), v.nonEmpty()), [...liveStatuses]),
      "Only runs in any of these states",
    ),
    created_after: meaning(instant, "Not before this time, in epoch seconds"),
    created_before: meaning(instant, "Not after this time, in epoch seconds"),
    limit: meaning(
      v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)), 100),
      "How many at most, the newest first",
    ),
    dry_run: meaning(v.optional(v.boolean(), true), "Whether to report only what would be done"),
  },
  v.never(fault("extra_forbidden", "Extra inputs are not permitted")),
);

export const CancelledRuns = v.object({
  dry_run: v.boolean(),
  /** Runs that were selected, at most `limit`: those cancelled and those refused. */
  matched: v.number(),
  /** The newest first; those that are executed stop at their next checkpoint. In a dry run those that would be cancelled. */
  cancelled: v.array(v.string()),
  refused: v.array(v.object({ id: v.string(), detail: v.string() })),
  /** Whether more runs may match: beyond `limit`, or beyond what one request reads. */
  more: v.boolean(),
});
export type CancelledRuns = v.InferOutput<typeof CancelledRuns>;
