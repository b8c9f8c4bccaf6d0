import * as v from "valibot";
import { RunStatus } from "./run.ts";

/** A place where a run may be taken up again: after so many of its messages. @source contract, runs-and-queue section 9 */
export const Checkpoint = v.object({
  /** Counts the run's checkpoints from "1". */
  checkpoint_id: v.string(),
  run_id: v.string(),
  session_id: v.string(),
  /** Messages before this place. */
  message_index: v.number(),
  /** What a continuation passes on to start here. */
  continue_from: v.number(),
  status: RunStatus,
  reason: v.picklist(["checkpoint", "end"]),
  /** Epoch seconds. */
  created_at: v.number(),
  message_id: v.nullable(v.string()),
  message_role: v.nullable(v.string()),
  message_preview: v.nullable(v.string()),
  is_latest: v.boolean(),
});
export type Checkpoint = v.InferOutput<typeof Checkpoint>;
