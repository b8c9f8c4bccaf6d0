import type { Db } from "../db.ts";
import { feedbackSummaries } from "./feedback-summaries.ts";
import { feedbackOfRun } from "./read-feedback.ts";

/** What was said about runs in words, by run. Runs without feedback cost the read of a key. */
export async function commentsOn(
  db: Db,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const judged = await feedbackSummaries(db, runIds);
  const ofRuns = [...judged.keys()].map(async (id) => {
    const { feedback } = await feedbackOfRun(db, id);
    const texts = feedback.flatMap(({ value, comment, correction }) => [value, comment, correction]);
    return [id, texts.filter((text) => text !== undefined)] as const;
  });
  return new Map(await Promise.all(ofRuns));
}
