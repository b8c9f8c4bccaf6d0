import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { pastConflicts } from "../transact.ts";
import { runItem, type StoredRun } from "./run-item.ts";
import { spillRun } from "./spill-run.ts";

const WRITTEN_TOGETHER = 8;

/**
 * Puts runs that ended within another one on record, before that one's own end tells of them. They may be there
 * already, from an attempt that did not get further; a later attempt's are left as they are.
 */
export async function putNestedRuns(db: Db, runs: readonly StoredRun[]): Promise<void> {
  for (let i = 0; i < runs.length; i += WRITTEN_TOGETHER) {
    await Promise.all(runs.slice(i, i + WRITTEN_TOGETHER).map((run) => putNestedRun(db, run)));
  }
}

async function putNestedRun(db: Db, run: StoredRun): Promise<void> {
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
