import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import { countOf, runPartition, summaryKey } from "./feedback-item.ts";

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
