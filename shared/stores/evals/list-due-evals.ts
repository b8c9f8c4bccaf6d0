import type { Db } from "../db.ts";
import { dueItems } from "../due/due-items.ts";
import { DUE } from "./eval-keys.ts";

/**
 * Evaluations that are not finished and that no worker has leased, because their message was lost or their worker died;
 * and removed ones that are not purged yet.
 *
 * @param now   epoch seconds
 * @param most  how many at most, about
 */
export async function listDueEvals(db: Db, now: number, most: number): Promise<string[]> {
  const due = await dueItems(db, { table: db.tables.evals, partition: { due_key: DUE }, now, most });
  return due.map(({ id }) => String(id));
}
