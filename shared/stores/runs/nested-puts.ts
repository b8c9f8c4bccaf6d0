import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { pastConflicts, type Write } from "../transact.ts";
import { runItem, type StoredRun } from "./run-item.ts";
import { spillRun } from "./spill-run.ts";

/** Most nested runs in the transaction of a run's end: items are below 100 KB, and a transaction has 4 MB. */
const MAX_IN_TRANSACTION = 20;
const WRITTEN_TOGETHER = 8;

/**
 * Prepares ended nested runs to be written with the end of their run. If there are too many for the transaction, the
 * first of them are written now, but not over the record of a later attempt.
 *
 * @returns the entries of the transaction
 */
export async function nestedPuts(db: Db, runs: readonly StoredRun[]): Promise<Write[]> {
  const early = runs.slice(0, Math.max(0, runs.length - MAX_IN_TRANSACTION));
  for (let i = 0; i < early.length; i += WRITTEN_TOGETHER) {
    await Promise.all(early.slice(i, i + WRITTEN_TOGETHER).map((run) => putEarly(db, run)));
  }
  const items = await Promise.all(runs.slice(early.length).map((run) => spillRun(db, run)));
  return items.map((run) => ({ Put: { TableName: db.tables.runs, Item: runItem(run) } }));
}

async function putEarly(db: Db, run: StoredRun): Promise<void> {
  const put = new PutCommand({
    TableName: db.tables.runs,
    Item: runItem(await spillRun(db, run)),
    ConditionExpression: "attribute_not_exists(pk) OR attempt <= :attempt",
    ExpressionAttributeValues: { ":attempt": run.attempt },
  });
  await pastConflicts(() => db.client.send(put)).catch((error) => {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  });
}
