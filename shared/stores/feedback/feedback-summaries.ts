import type { FeedbackSummary } from "../../schemas/feedback/feedback.ts";
import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import { countOf, runPartition, summaryFrom, summaryKey } from "./feedback-item.ts";

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

/** Which feedback a run must have: some of a key, or some with this score. */
export type JudgedAs = { readonly key: string; readonly score?: number | undefined };

/** Those of some runs that have such feedback, by their sums: one read a run. */
export async function runsJudgedAs(
  db: Db,
  run_ids: readonly string[],
  { key, score }: JudgedAs,
): Promise<ReadonlySet<string>> {
  const items = await batchGet(db, db.tables.feedback, [...new Set(run_ids)].map(summaryKey));
  const judged = items.filter((item) => Number(item[countOf(key, score)] ?? 0) > 0);
  const partitions = new Set(judged.map(({ pk }) => pk));
  return new Set(run_ids.filter((id) => partitions.has(runPartition(id))));
}
