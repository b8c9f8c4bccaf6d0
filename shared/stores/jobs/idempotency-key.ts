import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { anyOf, atMost, isNew, putItem, updateItem, type Write } from "../../data/index.ts";
import { runStatusOf } from "../../domain/jobs/run-status-of-job.ts";
import type { Db } from "../db.ts";
import { getRunHead } from "../runs/get-run.ts";
import type { StoredRun } from "../runs/run-item.ts";
import type { RunAddress } from "../runs/run-keys.ts";
import { getSessionHead } from "../sessions/session-item.ts";
import { getJob, runOf, type StoredJob } from "./job-item.ts";
import { idempotencyKeyOf } from "./job-keys.ts";

/** Version of the stored shape; raised with every change of it. */
export const KEY_SHAPE = 2;

/**
 * A used key. One that a job was accepted under lives as long as that job; one of a run without a job of its own says where the
 * run is, and when the key expires.
 */
export const StoredKey = v.object({
  job_id: v.string(),
  owner: v.optional(v.nullable(v.string())),
  session_id: v.optional(v.string()),
  from: v.optional(v.number()),
  expires_at: v.optional(v.number()),
});

/** What a request under a used key is about. */
export type KeyedRun = RunAddress &
  Pick<StoredRun, "component_type" | "component_id" | "status"> & {
    /** Whether its client asked for its events. */
    readonly isStreamed: boolean;
    /** Index of the first event that answers the request. */
    readonly from: number;
  };

/** The write that claims a key for a job. A key is free when it was not used, or when its job has expired. */
export const claimKey = (job: StoredJob, key: string, now: number): Write =>
  claim(job.user_id, key, now, { job_id: job.id });

/** A run that answers a request without a job that was made for it. */
export type AnsweringRun = RunAddress & {
  /** Index of the first event that answers it; absent where all do. */
  readonly from?: number | undefined;
};

/** The same for a run of the foreground, and one that a request continues or talks to. @param expires_at epoch seconds */
export const claimKeyOfRun = (
  { run_id: job_id, owner, session_id, from }: AnsweringRun,
  userId: string | null,
  key: string,
  now: number,
  expires_at: number,
): Write => {
  const run = { job_id, owner, session_id, ...(from !== undefined && { from }) };
  return claim(userId, key, now, { ...run, expires_at });
};

const claim = (
  userId: string | null,
  key: string,
  now: number,
  stored: v.InferInput<typeof StoredKey>,
): Write => {
  const item = { ...idempotencyKeyOf(userId, key), ...stored, shape: KEY_SHAPE };
  return putItem("jobs", item, anyOf(isNew, { expires_at: atMost(now) }));
};

/** The write that gives a job's key the expiry of the job. @param expires_at undefined for a key without an end */
export const extendKey = (job: StoredJob, expires_at: number | undefined): Write | undefined =>
  job.idempotency_key === null
    ? undefined
    : updateItem("jobs", idempotencyKeyOf(job.user_id, job.idempotency_key), {
        set: { job_id: job.id, shape: KEY_SHAPE, expires_at },
      });

/**
 * The run that a user's key was used for; `removed` where the key is still in use and its run was deleted.
 *
 * @param now  epoch seconds
 */
export async function findKeyedRun(
  db: Db,
  userId: string | null,
  key: string,
  now: number,
): Promise<KeyedRun | "removed" | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.jobs, Key: idempotencyKeyOf(userId, key), ConsistentRead: true }),
  );
  if (!Item) return undefined;
  const { job_id: run_id, owner, session_id, from = 0, expires_at } = v.parse(StoredKey, Item);
  if (owner === undefined || session_id === undefined) return keyedRunOf(await getJob(db, run_id, now));
  if (expires_at !== undefined && expires_at <= now) return undefined;
  const at = { owner, session_id, run_id };
  // The runs of a session that is being removed still exist for a while.
  const [run, session] = await Promise.all([getRunHead(db, at, now), getSessionHead(db, session_id)]);
  if (!run || !session) return "removed";
  const { component_type, component_id, status } = run;
  return { ...at, component_type, component_id, status, isStreamed: true, from };
}

function keyedRunOf(job: StoredJob | undefined): KeyedRun | undefined {
  if (!job) return undefined;
  const { component_type, component_id, payload, status } = job;
  const run = { component_type, component_id, status: runStatusOf[status] };
  return { ...runOf(job), ...run, isStreamed: payload.stream === true, from: 0 };
}
