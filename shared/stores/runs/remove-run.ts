import { BatchWriteCommand, DeleteCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { queryPages } from "../query-pages.ts";
import { backOff, type Item } from "../transact.ts";
import type { RunAddress } from "./get-run.ts";
import { eventsKey, runKey } from "./run-keys.ts";

/** Items that a batch write takes at most (documented limit of the service). */
const BATCH_ITEMS = 25;

/** Removes a run's events and then its record, so that what breaks off in between is found again by the record. */
export async function removeRun(db: Db, { owner, session_id, run_id }: RunAddress): Promise<void> {
  const pages = queryPages(db, {
    TableName: db.tables.runs,
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": eventsKey(run_id) },
    ProjectionExpression: "pk, sk",
    ConsistentRead: true,
  });
  for await (const { Items: keys = [] } of pages) {
    for (let from = 0; from < keys.length; from += BATCH_ITEMS) {
      await removeItems(db, keys.slice(from, from + BATCH_ITEMS));
    }
  }
  const Key = runKey(owner, session_id, run_id);
  await db.client.send(new DeleteCommand({ TableName: db.tables.runs, Key }));
}

async function removeItems(db: Db, keys: Item[]): Promise<void> {
  const table = db.tables.runs;
  let requests = keys.map((Key) => ({ DeleteRequest: { Key } }));
  for (let tryNumber = 0; requests.length > 0; tryNumber += 1) {
    if (tryNumber > 0) await backOff(tryNumber);
    const { UnprocessedItems = {} } = await db.client.send(
      new BatchWriteCommand({ RequestItems: { [table]: requests } }),
    );
    // Only removals were asked for, so only removals are left.
    requests = (UnprocessedItems[table] ?? []) as typeof requests;
  }
}
