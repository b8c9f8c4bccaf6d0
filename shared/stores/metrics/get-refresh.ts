import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { type MetricsScope, refreshKey } from "./metrics-scope.ts";
import { refreshFrom, type StoredRefresh } from "./refresh-item.ts";

/** The last refresh of a scope; undefined if there was none. */
export async function getRefresh(db: Db, scope: MetricsScope): Promise<StoredRefresh | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.metrics, Key: refreshKey(scope), ConsistentRead: true }),
  );
  return Item && refreshFrom(Item);
}
