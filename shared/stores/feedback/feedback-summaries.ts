import type { FeedbackSummary } from "../../schemas/feedback/feedback.ts";
import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import { runPartition, summaryFrom, summaryKey } from "./feedback-item.ts";

/** The sums of the feedback on runs, by run; runs without any are left out. One read a run. */
export async function feedbackSummaries(
  db: Db,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, FeedbackSummary>> {
  const ids = [...new Set(runIds)];
  const items = await batchGet(db, db.tables.feedback, ids.map(summaryKey));
  const byPartition = new Map(items.map((item) => [item.pk, summaryFrom(item)]));
  return new Map(
    ids.flatMap((id) => {
      const summary = byPartition.get(runPartition(id));
      return summary && Object.keys(summary).length > 0 ? [[id, summary] as const] : [];
    }),
  );
}
