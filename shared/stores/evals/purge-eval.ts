import { DeleteCommand, GetCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { removePartition } from "../remove-partition.ts";
import { evalFrom } from "./eval-item.ts";
import { evalKey, evalObjects, partsPartition } from "./eval-keys.ts";

/**
 * Purges a removed evaluation with all its parts. Its tombstone is deleted last, so that a purge that breaks off is
 * found again.
 *
 * @returns whether there was such an evaluation
 */
export async function purgeEval(db: Db, id: string): Promise<boolean> {
  const at = { TableName: db.tables.evals, Key: evalKey(id) };
  const { Item } = await db.client.send(new GetCommand({ ...at, ConsistentRead: true }));
  if (!Item || evalFrom(Item).removed_at === undefined) return false;
  await db.objects.removeAll(evalObjects(id));
  await removePartition(db, "evals", partsPartition(id));
  await db.client.send(new DeleteCommand(at));
  return true;
}
