import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import {
  isTerminal,
  type JobStatus,
  type TerminalJobStatus,
  terminalJobStatuses,
} from "../../schemas/queue/queue-job.ts";
import type { Db } from "../db.ts";
import { queryPages } from "../query-pages.ts";
import type { Write } from "../transact.ts";
import { counterShard, counterShards, statusShards } from "./job-keys.ts";

/** Version of the stored shape of a counter; raised with every change of it. */
export const COUNTER_SHAPE = 1;

/** Numbers of ended jobs by status; a status without jobs is absent. */
export const StoredCounter = v.object({
  ...v.entriesFromList(terminalJobStatuses, v.optional(v.number(), 0)),
  expires_at: v.number(),
});

/**
 * Ended jobs are many, so they are counted as they end: items `ended#<expires_at>`, one for each hour in which jobs
 * disappear together, spread over shards. They change in the transaction that ends or requeues a job. Queued, running
 * and paused jobs are few (the queue's depth bounds them) and are counted in the index.
 */
export type CounterChange = { readonly id: string; readonly tryNumber: number };

export const countEnded = (db: Db, of: CounterChange, status: TerminalJobStatus, expiresAt: number): Write =>
  add(db, of, { [status]: 1 }, expiresAt);

export const countRequeued = (db: Db, of: CounterChange, from: TerminalJobStatus, expiresAt: number): Write =>
  add(db, of, { [from]: -1 }, expiresAt);

function add(db: Db, of: CounterChange, by: Record<string, number>, expiresAt: number): Write {
  const changes = Object.keys(by).map((name) => `#${name} :${name}`);
  const names = Object.keys(by).map((name) => [`#${name}`, name]);
  const values = Object.entries(by).map(([name, n]) => [`:${name}`, n]);
  return {
    Update: {
      TableName: db.tables.jobs,
      Key: { pk: counterShard(of.id, of.tryNumber), sk: `ended#${expiresAt}` },
      UpdateExpression: `ADD ${changes.join(", ")} SET expires_at = :expires_at, shape = :shape`,
      ExpressionAttributeNames: Object.fromEntries(names),
      ExpressionAttributeValues: {
        ...Object.fromEntries(values),
        ":expires_at": expiresAt,
        ":shape": COUNTER_SHAPE,
      },
    },
  };
}

type EndedCounts = Record<TerminalJobStatus, number>;

/** Sums the counters of ended jobs. @param now epoch seconds; expired counters do not count */
async function readEnded(db: Db, now: number): Promise<EndedCounts> {
  const pages = await Promise.all(
    counterShards().map((pk) =>
      db.client.send(
        new QueryCommand({
          TableName: db.tables.jobs,
          KeyConditionExpression: "pk = :pk",
          ExpressionAttributeValues: { ":pk": pk },
          ConsistentRead: true,
        }),
      ),
    ),
  );
  const sum: EndedCounts = { completed: 0, failed: 0, cancelled: 0 };
  for (const item of pages.flatMap((page) => page.Items ?? [])) {
    const counter = v.parse(StoredCounter, item);
    if (counter.expires_at <= now) continue;
    for (const status of terminalJobStatuses) sum[status] += counter[status];
  }
  return sum;
}

/** How many jobs are in each of the given statuses; the others are left out. @param now epoch seconds */
export async function countJobs(
  db: Db,
  statuses: readonly JobStatus[],
  now: number,
): Promise<Partial<Record<JobStatus, number>>> {
  const ended = statuses.some(isTerminal) ? await readEnded(db, now) : undefined;
  const entries = await Promise.all(
    statuses.map(async (status) => {
      const count = isTerminal(status) ? (ended?.[status] ?? 0) : await countInIndex(db, status);
      return [status, count] as const;
    }),
  );
  return Object.fromEntries(entries);
}

/** Counts the keys of one open status in the index. */
export async function countInIndex(db: Db, status: Exclude<JobStatus, TerminalJobStatus>): Promise<number> {
  const counts = await Promise.all(statusShards(status).map((shard) => countShard(db, shard)));
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
