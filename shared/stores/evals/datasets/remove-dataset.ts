import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { absent, deleteItem, exists, updateItem, write } from "../../../data/index.ts";
import type { Db } from "../../db.ts";
import { purgePartition } from "../../index-keys.ts";
import { removePartition } from "../../remove-partition.ts";
import { evalDue, evalObjects } from "../eval-item.ts";
import { datasetFrom, datasetKey, type StoredDataset, versionsPartition } from "./dataset-item.ts";

/**
 * Removes a dataset: no reader finds it any more, and its versions are purged later, see `purgeDataset`. Evaluations that
 * used it have its cases in their plans.
 *
 * @param now  epoch seconds
 * @returns    false when it is gone
 */
export async function removeDataset(
  db: Db,
  { id, user_id }: Pick<StoredDataset, "id" | "user_id">,
  now: number,
): Promise<boolean> {
  const removal = updateItem("evals", datasetKey(id), {
    set: { removed_at: now, owner_key: purgePartition(user_id), ...evalDue.attributes(id, now) },
    remove: ["all_key"],
    guard: [exists, { removed_at: absent }],
  });
  return (await write(db, removal)).written;
}

/** Purges a removed dataset. Its tombstone is deleted last, so that a purge that breaks off is found again. */
export async function purgeDataset(db: Db, id: string): Promise<void> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.evals, Key: datasetKey(id), ConsistentRead: true }),
  );
  if (!Item || datasetFrom(Item).removed_at === undefined) return;
  await db.objects.removeAll(evalObjects(id));
  await removePartition(db, "evals", versionsPartition(id));
  await write(db, deleteItem("evals", datasetKey(id)));
}
