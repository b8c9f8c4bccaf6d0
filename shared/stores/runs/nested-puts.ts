import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { pastConflicts, type Write } from "../transact.ts";
import { runItem, type StoredRun } from "./run-item.ts";
import { spillRun } from "./spill-run.ts";

/** Runs within a run that the transaction of its end has room for; items are below 100 KB, a transaction holds 4 MB. */
const MOST_IN_TRANSACTION = 20;
const WRITTEN_TOGETHER = 8;

/**
 * Prepares the runs that ended within another one for its end: they are put on record with it. Of very many, those that
 * the transaction has no room for are written now, and left alone where a later attempt has written.
 *
 * @returns the entries of the transaction
 */
export async function nestedPuts(db: Db, runs: readonly StoredRun[]): Promise<Write[]> {
  const early = runs.slice(0, Math.max(0, runs.length - MOST_IN_TRANSACTION));
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
