import type { Db } from "../db.ts";
import { queryPages } from "../query-pages.ts";
import { type ContentAddress, dueKeys, dueText } from "./content-item.ts";

/**
 * Contents that something is owed to, and that nobody has looked after in time: their message was lost, their worker
 * died, or they wait for something else.
 *
 * @param now   epoch seconds
 * @param most  how many at most
 */
export async function listDue(db: Db, now: number, most: number): Promise<ContentAddress[]> {
  const due: ContentAddress[] = [];
  for (const shard of dueKeys()) {
    const pages = queryPages(db, {
      TableName: db.tables.knowledge,
      IndexName: "by_due",
      KeyConditionExpression: "due_key = :shard AND due < :until",
      ProjectionExpression: "knowledge_id, id",
      ExpressionAttributeValues: { ":shard": shard, ":until": dueText(now + 1) },
    });
    for await (const { Items = [] } of pages) {
      due.push(...(Items as ContentAddress[])); // as projected
      if (due.length >= most) return due.slice(0, most);
    }
  }
  return due;
}
