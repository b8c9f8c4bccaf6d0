import { BatchWriteCommand } from "@aws-sdk/lib-dynamodb";
import type { Item } from "../../shared/data/item.ts";
import type { TableName } from "../../shared/settings/table-env.ts";
import type { Db } from "../../shared/stores/db.ts";

const BATCH_ITEMS = 25;
const AT_A_TIME = 8;

/** Puts many items at once, past every condition. */
export async function putItems(db: Db, table: TableName, items: readonly Item[]): Promise<void> {
  const batches = Array.from({ length: Math.ceil(items.length / BATCH_ITEMS) }, (_, i) =>
    items.slice(i * BATCH_ITEMS, (i + 1) * BATCH_ITEMS),
  );
  const put = (batch: readonly Item[]) => {
    const RequestItems = { [db.tables[table]]: batch.map((item) => ({ PutRequest: { Item: item } })) };
    return db.client.send(new BatchWriteCommand({ RequestItems }));
  };
  for (let from = 0; from < batches.length; from += AT_A_TIME) {
    await Promise.all(batches.slice(from, from + AT_A_TIME).map(put));
  }
}
