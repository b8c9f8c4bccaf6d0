import { createHash } from "node:crypto";
import type { JobSortField, JobStatus } from "../../schemas/queue/queue-job.ts";
import { MAX_JOB_INDEX_SHARDS } from "../../settings/rows/storage.ts";
import type { Db } from "../db.ts";

/** Partitions of the timers of paused jobs. */
const TIMER_SHARDS = 4;
/** Partitions of the counters for each partition of a status. */
const COUNTER_SHARDS = 2;
/** Partitions of the counters of paused jobs, which stay: a setting that was lowered may not leave any behind. */
const PAUSED_COUNTER_SHARDS = 8;
/** Partitions of a status for each partition of a user's live jobs. */
const STATUS_SHARDS_OF_USER_SHARD = 4;
/** Counters in each partition that endings use after a conflict, so that concurrent transactions seldom meet on one. */
const SPARE_COUNTERS = 32;

/** Partitions of the jobs that wait without a message. */
const WAIT_SHARDS = 8;

const HOUR_SECONDS = 3600;

export const jobKey = (id: string) => ({ pk: `job#${id}`, sk: "job" });

/** A client's idempotency key, separate for each user. Hashed: it may have any characters, and 512 of them. */
export const idempotencyKeyOf = (userId: string | null, key: string) => ({
  pk: `key#${digestOf([userId, key])}`,
  sk: "key",
});

const digestOf = (value: unknown): string =>
  createHash("sha256").update(JSON.stringify(value)).digest("base64url");

/** An evenly distributed number, always the same for an id: the random end of the UUID. */
const spread = (id: string): number => Number.parseInt(id.slice(-4), 16) || 0;

/** Partition of a job in the index by status. Each status has several, so that none is one hot key. */
export const statusShard = ({ jobIndexShards }: IndexedDb, status: JobStatus, id: string): string =>
  `${status}#${spread(id) % jobIndexShards}`;

export const statusShards = ({ jobIndexShards }: IndexedDb, status: JobStatus): string[] =>
  shardsOf(status, 0, jobIndexShards);

/** Partitions in which jobs may still be that were written when the index had more of them. */
export const shardsBeyond = ({ jobIndexShards }: IndexedDb, status: JobStatus): string[] =>
  shardsOf(status, jobIndexShards, MAX_JOB_INDEX_SHARDS);

type IndexedDb = Pick<Db, "jobIndexShards">;

const shardsOf = (status: JobStatus, from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, shard) => `${status}#${from + shard}`);

/**
 * Partition of a user's live job in the index by user: one takes 250 runs a second, since a job makes four writes there. A user has one for
 * four of a status, so usually one.
 */
export const userPartition = (db: IndexedDb, userId: string, id: string): string =>
  userShard(userId, Math.floor(spread(id) / MAX_JOB_INDEX_SHARDS) % userShardsOf(db));

/** All of them. */
export const userPartitions = (db: IndexedDb, userId: string): string[] =>
  Array.from({ length: userShardsOf(db) }, (_, shard) => userShard(userId, shard));

const userShardsOf = ({ jobIndexShards }: IndexedDb): number =>
  Math.ceil(jobIndexShards / STATUS_SHARDS_OF_USER_SHARD);

/** An id of a user may have any characters, so the number comes first. */
const userShard = (userId: string, shard: number): string => `${shard === 0 ? "" : shard}user#${userId}`;

/** A live job's place there; undefined for a job that is neither waiting nor being executed. */
export const userPlace = (status: JobStatus, id: string): string | undefined =>
  status === "queued" || status === "running" ? `${status}#${id}` : undefined;

/** Sorts by acceptance; ids are time-ordered, so jobs of one second keep their order too. */
export const acceptedKey = (createdAt: number, id: string): string =>
  `${String(createdAt).padStart(12, "0")}#${id}`;

/** A range of these keys. */
export type Accepted = { readonly from: string; readonly to: string };

type Bounds = { readonly created_after?: number | undefined; readonly created_before?: number | undefined };

/**
 * The keys of acceptances within inclusive bounds, epoch seconds. Undefined where nothing can be within them: DynamoDB
 * refuses a range whose end is before its start.
 */
export function acceptedWithin({ created_after, created_before }: Bounds): Accepted | undefined {
  const from = created_after === undefined || created_after < 0 ? "0" : acceptedKey(created_after, "");
  const to = created_before === undefined ? "~" : acceptedKey(Math.max(-1, created_before) + 1, "");
  return from > to ? undefined : { from, to };
}

/** Sorts by the time at which the timer is due. @param dueAt epoch seconds */
export const pauseTimerKey = (id: string, dueAt: number) => ({
  pk: `reminder#${spread(id) % TIMER_SHARDS}`,
  sk: `${String(dueAt).padStart(12, "0")}#${id}`,
});

export const pauseTimerShards = (): string[] =>
  Array.from({ length: TIMER_SHARDS }, (_, shard) => `reminder#${shard}`);

/**
 * Where an ended job is counted: in one of a few counters as long as they suffice, and after a conflict in one of many.
 *
 * @param expiresAt  when the job and its counter disappear, epoch seconds; undefined for a paused one
 */
export function counterKey(db: IndexedDb, id: string, tryNumber: number, expiresAt: number | undefined) {
  const shards = expiresAt === undefined ? PAUSED_COUNTER_SHARDS : counterShardsOf(db);
  // Other digits than those that choose the partition.
  const spare = (Math.floor(spread(id) / shards) + tryNumber) % SPARE_COUNTERS;
  return {
    pk: `counter#${(spread(id) + tryNumber) % shards}`,
    sk: `ended#${expiresAt ?? NEVER}${tryNumber === 0 ? "" : `#${spare}`}`,
  };
}

/** Paused jobs do not expire, so their counter does not either; the service takes this for a time. */
export const NEVER = 253_402_300_799;

const counterShardsOf = ({ jobIndexShards }: IndexedDb): number => jobIndexShards * COUNTER_SHARDS;

/** Partition of the changes that are still to be added to a counter; they are few. */
export const UNCOUNTED = "uncounted";

/** @param change  unique for the change */
export const uncountedKey = (id: string, change: string) => ({ pk: UNCOUNTED, sk: `${id}#${change}` });

/** Why a queued job that is due waits without a message: for its user's share of the slots, or for a run of its session. */
export const waitReasons = ["share", "session"] as const;
export type WaitReason = (typeof waitReasons)[number];

/**
 * Where a job is noted that waits without a message. Jobs that wait for one user's share are side by side, the oldest
 * first: ids are time-ordered.
 */
export function waitKey(reason: WaitReason, userId: string | null, id: string) {
  const of = digestOf(userId);
  const shard = reason === "share" ? of.charCodeAt(0) : spread(id);
  return { pk: `waiting#${shard % WAIT_SHARDS}`, sk: `${reason}#${of}#${id}` };
}

export const waitShards = (): string[] =>
  Array.from({ length: WAIT_SHARDS }, (_, shard) => `waiting#${shard}`);

/** Where the reading of the queue's depth is kept: of all users (null), or of one. */
export const depthKey = (userId: string | null) => ({
  pk: userId === null ? "depth" : `depth#${digestOf(userId)}`,
  sk: "depth",
});

export const counterShards = (db: IndexedDb): string[] =>
  Array.from(
    { length: Math.max(counterShardsOf(db), PAUSED_COUNTER_SHARDS) },
    (_, shard) => `counter#${shard}`,
  );

/**
 * When an ended job disappears: its retention, rounded up to the hour. Counters of ended jobs are kept per such
 * hour, so rows and their count expire together and totals stay exact.
 */
export const expiryOf = (completedAt: number, retentionSeconds: number): number =>
  Math.ceil((completedAt + retentionSeconds) / HOUR_SECONDS) * HOUR_SECONDS;

/** What the index carries of a job: all that lists filter and sort by. */
export type IndexRow = Record<Exclude<JobSortField, "created_at">, string | number | null> & {
  readonly id: string;
  readonly user_id: string | null;
  readonly available_at: number | null;
  readonly created_at: number;
};
