import type { Db } from "../db.ts";
import { dueItems } from "../due/due-items.ts";
import { dueShards } from "../due/due-keys.ts";
import type { ContentAddress } from "./content-item.ts";

/**
 * Contents with pending work that are due: their message was lost, their worker died, or they wait for something else.
 *
 * @param now   epoch seconds
 * @param most  how many at most
 */
export async function listDue(db: Db, now: number, most: number): Promise<ContentAddress[]> {
  const table = db.tables.knowledge;
  const due: ContentAddress[] = [];
  for (const due_key of dueShards()) {
    const items = await dueItems(db, { table, partition: { due_key }, now, most: most - due.length });
    due.push(
      ...items.map(({ knowledge_id, id }) => ({ knowledge_id: String(knowledge_id), id: String(id) })),
    );
    if (due.length >= most) return due.slice(0, most);
  }
  return due;
}
