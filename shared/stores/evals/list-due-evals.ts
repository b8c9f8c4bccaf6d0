import type { Db } from "../db.ts";
import { queryPages } from "../query-pages.ts";
import { DUE, dueText } from "./eval-keys.ts";

/**
 * Evaluations that nobody works on, and that are not through: their message was lost, or their worker died. And what was
 * taken out of sight and is not gone yet.
 *
 * @param now   epoch seconds
 * @param most  how many at most, about
 */
export async function listDueEvals(db: Db, now: number, most: number): Promise<string[]> {
  const pages = queryPages(db, {
    TableName: db.tables.evals,
    IndexName: "by_due",
    KeyConditionExpression: "due_key = :due_key AND due < :until",
    ExpressionAttributeValues: { ":due_key": DUE, ":until": dueText(now + 1) },
    ProjectionExpression: "id",
    Limit: most,
  });
  const due: string[] = [];
  for await (const { Items = [] } of pages) {
    due.push(...Items.map(({ id }) => String(id)));
    if (due.length >= most) break;
  }
  return due;
}
