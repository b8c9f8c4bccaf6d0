import { randomUUID } from "node:crypto";
import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import {
  deleteItem,
  exists,
  type Item,
  type Key,
  type Put,
  putItem,
  transact,
  type Update,
  updateItem,
} from "../../data/index.ts";
import {
  isTerminal,
  type JobStatus,
  type TerminalJobStatus,
  terminalJobStatuses,
} from "../../schemas/queue/queue-job.ts";
import { type Db, queryPages } from "../db.ts";
import { counterKey, counterShards, NEVER, statusShards, UNCOUNTED, uncountedKey } from "./job-keys.ts";

/** Version of the stored shape of a counter; raised with every change of it. */
export const COUNTER_SHAPE = 2;

/** What has a counter: paused jobs may wait for people by the million. */
const countedStatuses = [...terminalJobStatuses, "paused"] as const;
type CountedStatus = (typeof countedStatuses)[number];
const isCounted = (status: JobStatus): status is CountedStatus => status === "paused" || isTerminal(status);

/** Numbers of jobs by status, or a change of them that is still to be added; a status without jobs is absent. */
export const StoredCounter = v.object({
  ...v.entriesFromList(countedStatuses, v.optional(v.number(), 0)),
  expires_at: v.number(),
});

/** Conflicts with other endings after which the change is left for later. */
const COUNTER_TRIES = 3;

/**
 * Ended jobs are many, so they are counted as they end: items `ended#<expires_at>`, one for each hour in which jobs
 * disappear together, spread over shards. They change in the transaction that ends or requeues a job. Paused jobs are
 * counted likewise, under a time that never comes. Queued and running jobs are few (the queue's depth bounds them) and
 * are counted in the index.
 *
 * No ending fails because of a counter: the first try uses one of a few, the next ones one of many, and after that the
 * change is written as an item of its own, which no other transaction touches. The sweeper adds it to a counter.
 *
 *   try 0     8 counters, or two for each of `JOB_INDEX_SHARDS`
 *   try 1, 2  256 counters, or 32 times as many
 *   try 3 …   an item of its own ──▶ sweeper ──▶ counter
 */
export type CounterChange = {
  readonly db: Pick<Db, "jobIndexShards">;
  readonly id: string;
  readonly tryNumber: number;
};

export const countEnded = (of: CounterChange, status: TerminalJobStatus, expiresAt: number): Put | Update =>
  changeOf(of, { [status]: 1 }, expiresAt);

export const countRequeued = (of: CounterChange, from: TerminalJobStatus, expiresAt: number): Put | Update =>
  changeOf(of, { [from]: -1 }, expiresAt);

export const countPaused = (of: CounterChange, by: 1 | -1): Put | Update =>
  changeOf(of, { paused: by }, NEVER);

function changeOf(
  { db, id, tryNumber }: CounterChange,
  by: Record<string, number>,
  expires_at: number,
): Put | Update {
  if (tryNumber < COUNTER_TRIES) return addToCounter(keyOf(db, id, tryNumber, expires_at), by, expires_at);
  return putItem("jobs", { ...uncountedKey(id, randomUUID()), ...by, expires_at, shape: COUNTER_SHAPE });
}

const keyOf = (db: CounterChange["db"], id: string, tryNumber: number, expiresAt: number): Key =>
  counterKey(db, id, tryNumber, expiresAt === NEVER ? undefined : expiresAt);

const addToCounter = (key: Key, add: Readonly<Record<string, number>>, expires_at: number): Update =>
  updateItem("jobs", key, { add, set: { expires_at, shape: COUNTER_SHAPE } });

/**
 * Adds the changes that were left for later to the counters. Safe beside endings and other rounds: a change is removed in
 * the transaction that adds it.
 *
 * @returns how many were added
 */
export async function addUncounted(db: Db): Promise<number> {
  const { Items = [] } = await db.client.send(
    new QueryCommand({ ...partition(db, UNCOUNTED), Limit: CHANGES_PER_ROUND }),
  );
  let added = 0;
  for (const changes of chunksByExpiry(Items)) if (await addAll(db, changes)) added += changes.length;
  return added;
}

/** The next round goes on. */
const CHANGES_PER_ROUND = 1_000;
/** Entries of one transaction at most, with one for the counter. */
const CHANGES_PER_TRANSACTION = 99;

/** Counters are per hour of expiry, and a transaction has room for so many entries. */
function chunksByExpiry(items: readonly Item[]): Item[][] {
  const byExpiry = Map.groupBy(items, ({ expires_at }) => expires_at);
  return [...byExpiry.values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / CHANGES_PER_TRANSACTION) }, (_, i) =>
      group.slice(i * CHANGES_PER_TRANSACTION, (i + 1) * CHANGES_PER_TRANSACTION),
    ),
  );
}

/** @returns false when another round has added one of them: then the next round adds the rest */
async function addAll(db: Db, changes: readonly Item[]): Promise<boolean> {
  const parsed = changes.map((change) => v.parse(StoredCounter, change));
  const sum = sumOf(parsed);
  const [{ expires_at } = { expires_at: 0 }] = parsed;
  const { written } = await transact(db, (tryNumber) => ({
    changes: changes.map(({ pk, sk }) => deleteItem("jobs", { pk, sk }, exists)),
    counter: addToCounter(keyOf(db, String(changes[0]?.sk), tryNumber + 1, expires_at), sum, expires_at),
  }));
  return written;
}

type Counts = Record<CountedStatus, number>;

function sumOf(changes: readonly Counts[]): Counts {
  const sum: Counts = { completed: 0, failed: 0, cancelled: 0, paused: 0 };
  for (const change of changes) for (const status of countedStatuses) sum[status] += change[status];
  return sum;
}

/** Sums the counters, and what is left to be added to them. @param now epoch seconds; expired ones do not count */
async function readCounters(db: Db, now: number): Promise<Counts> {
  const counters = await Promise.all(
    [...counterShards(db), UNCOUNTED].map(async (pk) => {
      const items: Item[] = [];
      for await (const { Items = [] } of queryPages(db, partition(db, pk))) items.push(...Items);
      return items.map((item) => v.parse(StoredCounter, item));
    }),
  );
  return sumOf(counters.flat().filter(({ expires_at }) => expires_at > now));
}

const partition = (db: Db, pk: string) => ({
  TableName: db.tables.jobs,
  KeyConditionExpression: "pk = :pk",
  ExpressionAttributeValues: { ":pk": pk },
  ConsistentRead: true,
});

/** How many jobs are in each of the given statuses; the others are left out. @param now epoch seconds */
export async function countJobs(
  db: Db,
  statuses: readonly JobStatus[],
  now: number,
): Promise<Partial<Record<JobStatus, number>>> {
  const counted = statuses.some(isCounted) ? await readCounters(db, now) : undefined;
  const entries = await Promise.all(
    statuses.map(async (status) => {
      const count = isCounted(status) ? (counted?.[status] ?? 0) : await countInIndex(db, status);
      return [status, count] as const;
    }),
  );
  return Object.fromEntries(entries);
}

/** Counts the keys of one live status in the index. */
export async function countInIndex(db: Db, status: Exclude<JobStatus, CountedStatus>): Promise<number> {
  const counts = await Promise.all(statusShards(db, status).map((shard) => countShard(db, shard)));
  return counts.reduce((sum, n) => sum + n, 0);
}

async function countShard(db: Db, shard: string): Promise<number> {
  const pages = queryPages(db, {
    TableName: db.tables.jobs,
    IndexName: "by_status",
    KeyConditionExpression: "status_shard = :shard",
    ExpressionAttributeValues: { ":shard": shard },
    Select: "COUNT",
  });
  let count = 0;
  for await (const page of pages) count += page.Count ?? 0;
  return count;
}
