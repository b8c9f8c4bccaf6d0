import { BatchWriteCommand, type BatchWriteCommandInput } from "@aws-sdk/lib-dynamodb";
import { backOff } from "./back-off.ts";
import type { Connection } from "./connection.ts";
import type { Delete, Put } from "./writes.ts";

/** Most writes of a batch (documented limit of the service). */
export const BATCH_WRITES = 25;
const TRIES = 20;

/**
 * Makes up to `BATCH_WRITES` writes in one request, each by itself; no two of one item.
 *
 * @throws when the service leaves some undone after all tries
 */
export async function writeBatch(db: Connection, writes: readonly (Put | Delete)[]): Promise<void> {
  if (writes.some(({ guard }) => guard)) throw new Error("a batch knows no guards");
  const byTable = Map.groupBy(writes, ({ table }) => db.tables[table]);
  let left: BatchWriteCommandInput["RequestItems"] = Object.fromEntries(
    [...byTable].map(([name, some]) => [
      name,
      some.map((one) =>
        one.kind === "put" ? { PutRequest: { Item: one.item } } : { DeleteRequest: { Key: one.key } },
      ),
    ]),
  );
  for (let tryNumber = 0; left && Object.keys(left).length > 0; tryNumber += 1) {
    if (tryNumber >= TRIES) throw new Error("some writes of a batch were left undone");
    if (tryNumber > 0) await backOff(tryNumber);
    ({ UnprocessedItems: left } = await db.client.send(new BatchWriteCommand({ RequestItems: left })));
  }
}
