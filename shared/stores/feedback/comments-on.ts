import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import { summaryFrom, summaryKey } from "./feedback-item.ts";
import { feedbackOfRun } from "./read-feedback.ts";

/** What was said about runs in words, by run. Runs without feedback cost the read of a key. */
export async function commentsOn(
  db: Db,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const sums = await batchGet(db, db.tables.feedback, runIds.map(summaryKey));
  const judged = new Set(
    sums.filter((item) => Object.keys(summaryFrom(item)).length > 0).map(({ pk }) => pk),
  );
  const ofRuns = runIds
    .filter((id) => judged.has(summaryKey(id).pk))
    .map(async (id) => {
      const { feedback } = await feedbackOfRun(db, id);
      const texts = feedback.flatMap(({ value, comment, correction }) => [value, comment, correction]);
      return [id, texts.filter((text) => text !== undefined)] as const;
    });
  return new Map(await Promise.all(ofRuns));
}
