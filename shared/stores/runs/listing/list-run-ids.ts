import { type Db, queryPages } from "../../db.ts";
import { sessionRunsKey } from "../run-keys.ts";

/** Ids of all runs of a session, in batches. */
export async function* listRunIds(
  db: Db,
  owner: string | null,
  sessionId: string,
  atATime: number,
): AsyncGenerator<string[], undefined> {
  const pages = queryPages(db, {
    TableName: db.tables.runs,
    KeyConditionExpression: "pk = :pk AND begins_with(sk, :run)",
    ExpressionAttributeValues: { ":pk": sessionRunsKey(owner, sessionId), ":run": "run#" },
    ProjectionExpression: "run_id",
    ConsistentRead: true,
  });
  for await (const { Items = [] } of pages) {
    const ids = Items.map(({ run_id }) => String(run_id));
    for (let from = 0; from < ids.length; from += atATime) yield ids.slice(from, from + atATime);
  }
  return undefined;
}
