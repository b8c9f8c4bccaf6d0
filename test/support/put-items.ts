import { BatchWriteCommand } from "@aws-sdk/lib-dynamodb";
import type { TableName } from "../../shared/runtime/table-env.ts";
import type { Db } from "../../shared/stores/db.ts";
import type { Item } from "../../shared/stores/transact.ts";

const BATCH_ITEMS = 25;

/** Puts many items at once, past every condition. */
export async function putItems(db: Db, table: TableName, items: readonly Item[]): Promise<void> {
  for (let from = 0; from < items.length; from += BATCH_ITEMS) {
    const puts = items.slice(from, from + BATCH_ITEMS).map((item) => ({ PutRequest: { Item: item } }));
    await db.client.send(new BatchWriteCommand({ RequestItems: { [db.tables[table]]: puts } }));
  }
}
