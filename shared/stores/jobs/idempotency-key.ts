import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { anyOf, atMost, isNew } from "../../data/guard.ts";
import { putItem, updateItem, type Write } from "../../data/writes.ts";
import type { Db } from "../db.ts";
import { getJob, type StoredJob } from "./job-item.ts";
import { idempotencyKeyOf } from "./job-keys.ts";

/** Version of the stored shape; raised with every change of it. */
export const KEY_SHAPE = 1;

/** A used key, as long as its job exists. */
export const StoredKey = v.object({ job_id: v.string(), expires_at: v.optional(v.number()) });

/** The write that claims a key for a job. A key is free when it was not used, or when its job has expired. */
export const claimKey = (job: StoredJob, key: string, now: number): Write => {
  const item = { ...idempotencyKeyOf(job.user_id, key), job_id: job.id, shape: KEY_SHAPE };
  return putItem("jobs", item, anyOf(isNew, { expires_at: atMost(now) }));
};

/** The write that gives a job's key the expiry of the job. @param expires_at undefined for a key without an end */
export const extendKey = (job: StoredJob, expires_at: number | undefined): Write | undefined =>
  job.idempotency_key === null
    ? undefined
    : updateItem("jobs", idempotencyKeyOf(job.user_id, job.idempotency_key), {
        set: { job_id: job.id, shape: KEY_SHAPE, expires_at },
      });

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
