import type { Db } from "../db.ts";
import { dueItems } from "../due-items.ts";
import { type ContentAddress, dueKeys, dueText } from "./content-item.ts";

/**
 * Contents that something is owed to, and that nobody has looked after in time: their message was lost, their worker
 * died, or they wait for something else.
 *
 * @param now   epoch seconds
 * @param most  how many at most
 */
export async function listDue(db: Db, now: number, most: number): Promise<ContentAddress[]> {
  const until = dueText(now + 1);
  const due: ContentAddress[] = [];
  for (const partition of dueKeys()) {
    const items = await dueItems(db, { table: "knowledge", key: "due_key", partition, until, most });
    due.push(...(items as ContentAddress[])); // as projected
    if (due.length >= most) break;
  }
  return due.slice(0, most);
}
