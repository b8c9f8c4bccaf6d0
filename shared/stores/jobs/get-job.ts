import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { jobFrom, type StoredJob } from "./job-item.ts";
import { jobKey } from "./job-keys.ts";

/** @param now epoch seconds; a job past its retention is not returned, even before it is deleted */
export async function getJob(db: Db, id: string, now: number): Promise<StoredJob | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.jobs, Key: jobKey(id), ConsistentRead: true }),
  );
  if (!Item) return undefined;
  const job = jobFrom(Item);
  return job.expires_at !== undefined && job.expires_at <= now ? undefined : job;
}
