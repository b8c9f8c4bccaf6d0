import type { Db } from "../db.ts";
import { type IndexRow, statusShards, type WaitReason } from "./job-keys.ts";
import { indexRows } from "./list-jobs.ts";
import { listWaiting } from "./waiting-jobs.ts";

/** Who uses the queue, and what its jobs wait for, at one moment of the index. */
export type QueueUse = {
  readonly queued: number;
  readonly running: number;
  /** When the job that has waited longest was accepted, in epoch seconds. */
  readonly oldestQueued: number | undefined;
  /** Numbers of live jobs, those with the most jobs first. */
  readonly users: readonly {
    readonly user_id: string | null;
    readonly queued: number;
    readonly running: number;
  }[];
  readonly waiting: {
    /** Due: the next free slot takes them. */
    readonly for_slot: number;
    /** Their user has all the runs under way that one user may have. */
    readonly for_share: number;
    /** For a run of their session. */
    readonly for_session: number;
    /** Not due yet: retries, and jobs that were requeued for later. */
    readonly until_later: number;
  };
};

/** Users that are shown. */
const MOST_USERS = 10;

/** Reads every live job's row in the index: the queue's depth bounds them. @param now epoch seconds */
export async function readQueueUse(db: Db, now: number): Promise<QueueUse> {
  const [queued, running, reasons] = await Promise.all([
    liveRows(db, "queued", now),
    liveRows(db, "running", now),
    reasonsOfWaiting(db),
  ]);
  const waiting = { for_slot: 0, for_share: 0, for_session: 0, until_later: 0 };
  for (const { id, available_at, created_at } of queued) {
    const reason = reasons.get(id);
    if ((available_at ?? created_at) > now) waiting.until_later += 1;
    else if (reason === undefined) waiting.for_slot += 1;
    else waiting[`for_${reason}`] += 1;
  }
  return {
    queued: queued.length,
    running: running.length,
    oldestQueued:
      queued.length === 0
        ? undefined
        : queued.reduce((oldest, { created_at }) => Math.min(oldest, created_at), Number.POSITIVE_INFINITY),
    users: topUsers(queued, running),
    waiting,
  };
}

async function liveRows(db: Db, status: "queued" | "running", now: number): Promise<IndexRow[]> {
  const only = ["id", "user_id", "available_at", "created_at"];
  const shards = await Promise.all(
    statusShards(db, status).map(async (shard) => {
      const rows: IndexRow[] = [];
      for await (const row of indexRows(db, shard, { forward: true, now, only })) rows.push(row);
      return rows;
    }),
  );
  return shards.flat();
}

async function reasonsOfWaiting(db: Db): Promise<Map<string, WaitReason>> {
  const reasons = new Map<string, WaitReason>();
  for await (const { job_id, reason } of listWaiting(db)) reasons.set(job_id, reason);
  return reasons;
}

function topUsers(queued: readonly IndexRow[], running: readonly IndexRow[]): QueueUse["users"] {
  const users = new Map<string | null, { queued: number; running: number }>();
  const of = (user: string | null) => {
    const counts = users.get(user) ?? { queued: 0, running: 0 };
    users.set(user, counts);
    return counts;
  };
  for (const { user_id } of queued) of(user_id).queued += 1;
  for (const { user_id } of running) of(user_id).running += 1;
  return [...users]
    .map(([user_id, counts]) => ({ user_id, ...counts }))
    .sort((a, b) => b.queued + b.running - (a.queued + a.running))
    .slice(0, MOST_USERS);
}
