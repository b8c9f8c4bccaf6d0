import type { Db } from "../db.ts";
import { dueItems } from "../due/due-items.ts";
import { DUE } from "./eval-keys.ts";

/**
 * Evaluations that nobody works on, and that are not through: their message was lost, or their worker died. And what was
 * taken out of sight and is not gone yet.
 *
 * @param now   epoch seconds
 * @param most  how many at most, about
 */
export async function listDueEvals(db: Db, now: number, most: number): Promise<string[]> {
  const due = await dueItems(db, { table: db.tables.evals, partition: { due_key: DUE }, now, most });
  return due.map(({ id }) => String(id));
}
