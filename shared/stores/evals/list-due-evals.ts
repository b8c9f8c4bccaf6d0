import type { Db } from "../db.ts";
import { dueItems } from "../due-items.ts";
import { DUE, dueText } from "./eval-keys.ts";

/**
 * Evaluations that nobody works on, and that are not through: their message was lost, or their worker died. And what was
 * taken out of sight and is not gone yet.
 *
 * @param now   epoch seconds
 * @param most  how many at most, about
 */
export async function listDueEvals(db: Db, now: number, most: number): Promise<string[]> {
  const until = dueText(now + 1);
  const due = await dueItems(db, { table: "evals", key: "due_key", partition: DUE, until, most });
  return due.map(({ id }) => String(id));
}
