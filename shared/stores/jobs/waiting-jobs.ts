import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { deleteItem, exists, putItem, write } from "../../data/index.ts";
import { type Db, queryPages } from "../db.ts";
import type { StoredJob } from "./job-item.ts";
import { waitKey, waitReasons, waitShards } from "./job-keys.ts";

/** Version of the stored shape; raised with every change of it. */
export const WAIT_SHAPE = 1;

/** A note that is not taken off disappears after this; its job was ended long before. */
const LIFE_SECONDS = 30 * 86_400;

/**
 * A queued job that is due and that no message brings to a worker: the end of another run wakes it.
 *
 *   share     its user has as many runs under way as one user may have; the end of one of them wakes the oldest
 *   session   it waits for a live run of its session; that run's record names it, and its end wakes it
 *
 * The note is a hint: the job's own row is the truth, and says nothing of the wait.
 */
export const WaitingJob = v.object({
  job_id: v.string(),
  user_id: v.nullable(v.string()),
  reason: v.picklist(waitReasons),
  /** Epoch seconds. */
  since: v.number(),
});
export type WaitingJob = v.InferOutput<typeof WaitingJob>;

/** @param since  epoch seconds */
export const waitOf = (
  { id, user_id }: Pick<StoredJob, "id" | "user_id">,
  reason: WaitingJob["reason"],
  since: number,
): WaitingJob => ({ job_id: id, user_id, reason, since });

const keyOf = ({ reason, user_id, job_id }: WaitingJob) => waitKey(reason, user_id, job_id);

export async function noteWaiting(db: Db, waiting: WaitingJob): Promise<void> {
  const expires_at = waiting.since + LIFE_SECONDS;
  await write(db, putItem("jobs", { ...keyOf(waiting), ...waiting, expires_at, shape: WAIT_SHAPE }));
}

/** @returns whether this call took it off; of several only one does */
export async function takeOffWaiting(db: Db, waiting: WaitingJob): Promise<boolean> {
  return (await write(db, deleteItem("jobs", keyOf(waiting), exists))).written;
}

/** A user's jobs that wait for his share, the oldest first. */
export async function listWaitingForShare(db: Db, userId: string, most: number): Promise<WaitingJob[]> {
  const { pk, sk } = waitKey("share", userId, "");
  const { Items = [] } = await db.client.send(
    new QueryCommand({ ...partition(db, pk, sk), Limit: most, ConsistentRead: true }),
  );
  return Items.map((item) => v.parse(WaitingJob, item));
}

/** Every job that waits without a message, in no particular order. */
export async function* listWaiting(db: Db): AsyncGenerator<WaitingJob, undefined> {
  for (const pk of waitShards())
    for (const reason of waitReasons)
      for await (const { Items = [] } of queryPages(db, partition(db, pk, `${reason}#`)))
        yield* Items.map((item) => v.parse(WaitingJob, item));
  return undefined;
}

const partition = (db: Db, pk: string, start: string) => ({
  TableName: db.tables.jobs,
  KeyConditionExpression: "pk = :pk AND begins_with(sk, :start)",
  ExpressionAttributeValues: { ":pk": pk, ":start": start },
});
