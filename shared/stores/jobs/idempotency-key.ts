import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import type { Write } from "../transact.ts";
import { getJob } from "./get-job.ts";
import type { StoredJob } from "./job-item.ts";
import { idempotencyKeyOf } from "./job-keys.ts";

/** The entry that takes a key for a job. A key is free when nobody used it, or when the job that did has expired. */
export const claimKey = (db: Db, job: StoredJob, key: string, now: number): Write => ({
  Put: {
    TableName: db.tables.jobs,
    Item: { ...idempotencyKeyOf(job.user_id, key), job_id: job.id },
    ConditionExpression: "attribute_not_exists(pk) OR expires_at <= :now",
    ExpressionAttributeValues: { ":now": now },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  },
});

/** The entries that let a job's key live as long as the job: until then, or again without end. */
export function keepKeyUntil(db: Db, job: StoredJob, expiresAt: number | undefined): Write[] {
  if (job.idempotency_key === null) return [];
  return [
    {
      Update: {
        TableName: db.tables.jobs,
        Key: idempotencyKeyOf(job.user_id, job.idempotency_key),
        UpdateExpression:
          expiresAt === undefined
            ? "SET job_id = :job_id REMOVE expires_at"
            : "SET job_id = :job_id, expires_at = :expires_at",
        ExpressionAttributeValues: {
          ":job_id": job.id,
          ...(expiresAt !== undefined && { ":expires_at": expiresAt }),
        },
      },
    },
  ];
}

/** The job that a user's key was used for, while that job lives. @param now epoch seconds */
export async function findDuplicate(
  db: Db,
  userId: string | null,
  key: string,
  now: number,
): Promise<StoredJob | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.jobs, Key: idempotencyKeyOf(userId, key), ConsistentRead: true }),
  );
  return Item ? getJob(db, String(Item.job_id), now) : undefined;
}
