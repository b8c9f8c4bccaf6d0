import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import type { Db } from "../db.ts";
import type { Write } from "../transact.ts";
import { getJob } from "./get-job.ts";
import type { StoredJob } from "./job-item.ts";
import { idempotencyKeyOf } from "./job-keys.ts";

/** Version of the stored shape; raised with every change of it. */
export const KEY_SHAPE = 1;

/** A used key, as long as its job exists. */
export const StoredKey = v.object({ job_id: v.string(), expires_at: v.optional(v.number()) });

/** The entry that claims a key for a job. A key is free when it was not used, or when its job has expired. */
export const claimKey = (db: Db, job: StoredJob, key: string, now: number): Write => ({
  Put: {
    TableName: db.tables.jobs,
    Item: { ...idempotencyKeyOf(job.user_id, key), job_id: job.id, shape: KEY_SHAPE },
    ConditionExpression: "attribute_not_exists(pk) OR expires_at <= :now",
    ExpressionAttributeValues: { ":now": now },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  },
});

/** The entries that give a job's key the expiry of the job. @param expiresAt undefined for a key without an end */
export function extendKey(db: Db, job: StoredJob, expiresAt: number | undefined): Write[] {
  if (job.idempotency_key === null) return [];
  return [
    {
      Update: {
        TableName: db.tables.jobs,
        Key: idempotencyKeyOf(job.user_id, job.idempotency_key),
        UpdateExpression:
          expiresAt === undefined
            ? "SET job_id = :job_id, shape = :shape REMOVE expires_at"
            : "SET job_id = :job_id, shape = :shape, expires_at = :expires_at",
        ExpressionAttributeValues: {
          ":job_id": job.id,
          ":shape": KEY_SHAPE,
          ...(expiresAt !== undefined && { ":expires_at": expiresAt }),
        },
      },
    },
  ];
}

/** The job that a user's key was used for, as long as that job exists. @param now epoch seconds */
export async function findDuplicate(
  db: Db,
  userId: string | null,
  key: string,
  now: number,
): Promise<StoredJob | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.jobs, Key: idempotencyKeyOf(userId, key), ConsistentRead: true }),
  );
  return Item ? getJob(db, v.parse(StoredKey, Item).job_id, now) : undefined;
}
