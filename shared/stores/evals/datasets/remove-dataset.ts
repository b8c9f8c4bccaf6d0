import { DeleteCommand, GetCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../../db.ts";
import { guardedUpdate } from "../../guarded-update.ts";
import { removePartition } from "../../remove-partition.ts";
import { evalDue, evalObjects } from "../eval-keys.ts";
import { datasetFrom, datasetKey, versionsPartition } from "./dataset-item.ts";

/**
 * Removes a dataset: no reader finds it any more, and its versions are purged later, see `purgeDataset`. Evaluations that
 * used it have its cases in their plans.
 *
 * @param now  epoch seconds
 * @returns    false when it is gone
 */
export async function removeDataset(db: Db, id: string, now: number): Promise<boolean> {
  const { due_key, due } = evalDue.attributes(id, now);
  const removed = await guardedUpdate(db, {
    TableName: db.tables.evals,
    Key: datasetKey(id),
    UpdateExpression:
      "SET removed_at = :now, due_key = :due_key, due = :due REMOVE owner_key, all_key, opened",
    ConditionExpression: "attribute_exists(pk) AND attribute_not_exists(removed_at)",
    ExpressionAttributeValues: { ":now": now, ":due_key": due_key, ":due": due },
  });
  return removed.changed;
}

/** Purges a removed dataset. Its tombstone is deleted last, so that a purge that breaks off is found again. */
export async function purgeDataset(db: Db, id: string): Promise<void> {
  const at = { TableName: db.tables.evals, Key: datasetKey(id) };
  const { Item } = await db.client.send(new GetCommand({ ...at, ConsistentRead: true }));
  if (!Item || datasetFrom(Item).removed_at === undefined) return;
  await db.objects.removeAll(evalObjects(id));
  await removePartition(db, "evals", versionsPartition(id));
  await db.client.send(new DeleteCommand(at));
}
