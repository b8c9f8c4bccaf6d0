import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { write } from "../../data/write.ts";
import { deleteItem } from "../../data/writes.ts";
import type { Db } from "../db.ts";
import { removePartition } from "../remove-partition.ts";
import { evalFrom, type StoredEval } from "./eval-item.ts";
import { evalKey, evalObjects, partsPartition, versionEvalKey } from "./eval-keys.ts";

/**
 * Purges a removed evaluation with all its parts. Its tombstone is deleted last, so that a purge that breaks off is
 * found again.
 *
 * @returns whether there was such an evaluation
 */
export async function purgeEval(db: Db, id: string): Promise<boolean> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.evals, Key: evalKey(id), ConsistentRead: true }),
  );
  const record = Item && evalFrom(Item);
  if (record?.removed_at === undefined) return false;
  await db.objects.removeAll(evalObjects(id));
  await removePartition(db, "evals", partsPartition(id));
  const version = versionKey(record);
  if (version) await write(db, deleteItem("evals", version));
  await write(db, deleteItem("evals", evalKey(id)));
  return true;
}

function versionKey({ id, agent_id, team_id, component_version, created_at }: StoredEval) {
  const component_id = agent_id ?? team_id;
  return component_id === null || component_version === undefined
    ? undefined
    : versionEvalKey(component_id, component_version, created_at, id);
}
