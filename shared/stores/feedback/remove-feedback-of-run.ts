import type { Db } from "../db.ts";
import { subjectPartition } from "../outbox/outbox-keys.ts";
import { removePartition } from "../remove-partition.ts";
import { runPartition } from "./feedback-item.ts";
import { feedbackOfRun } from "./read-feedback.ts";

/** Removes all that was said about a run, with its sums and its events. May be called again for the same run. */
export async function removeFeedbackOfRun(db: Db, run_id: string): Promise<void> {
  const { feedback } = await feedbackOfRun(db, run_id);
  // The records last: by them the events are found.
  for (const { feedback_id } of feedback) {
    await removePartition(db, "outbox", subjectPartition({ kind: "feedback", id: feedback_id }));
  }
  await removePartition(db, "feedback", runPartition(run_id));
}
