import type { Db } from "../db.ts";
import { dueItemsOfShards } from "../due/due-items.ts";

/**
 * Partitions of subjects of which something is due: an event without deliveries, a delivery, or a look at a foreground
 * run whose process may be lost.
 *
 * @param now   epoch seconds
 * @param most  of each shard
 */
export async function listDueSubjects(db: Db, now: number, most: number): Promise<string[]> {
  const due = await dueItemsOfShards(db, { table: db.tables.outbox, now, most });
  return [...new Set(due.map(({ pk }) => String(pk)))];
}
