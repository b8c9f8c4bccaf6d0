import * as v from "valibot";
import { RunStatus } from "./run.ts";

/** A place from which a run can be continued: after so many messages. */
export const Checkpoint = v.object({
  /** Number of the checkpoint within the run, from "1". */
  checkpoint_id: v.string(),
  run_id: v.string(),
  session_id: v.string(),
  /** Messages before this place. */
  message_index: v.number(),
  /** The value of `continue_from` for a continuation from here. */
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
