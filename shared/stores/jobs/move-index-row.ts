import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { JobStatus } from "../../schemas/queue/queue-job.ts";
import type { Db } from "../db.ts";
import { writeIfUnchanged } from "../write-if-unchanged.ts";
import { jobKey, statusShard } from "./job-keys.ts";

/**
 * Puts a job into the partition of the index where the present setting has it.
 *
 * @param from  the partition in which it was found
 * @returns     false when the job has left that partition meanwhile
 */
export async function moveIndexRow(db: Db, id: string, status: JobStatus, from: string): Promise<boolean> {
  const update = new UpdateCommand({
    TableName: db.tables.jobs,
    Key: jobKey(id),
    UpdateExpression: "SET status_shard = :to",
    ConditionExpression: "status_shard = :from",
    ExpressionAttributeValues: { ":from": from, ":to": statusShard(db, status, id) },
  });
  return writeIfUnchanged(() => db.client.send(update));
}
