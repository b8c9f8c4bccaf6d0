import { statusShards } from "../../shared/stores/jobs/job-keys.ts";
import { indexRows } from "../../shared/stores/jobs/list-jobs.ts";
import type { SweeperDeps } from "./sweeper-deps.ts";

/** A job that has been due for less than this may simply not have been taken yet. */
const SETTLING_SECONDS = 15;
/** Messages of one round at most; the next round goes on. */
const RESENDS_PER_ROUND = 500;

/**
 * Queued jobs that are due although the queue holds fewer messages than there are such jobs: the missing ones were
 * lost between the write and the send, or with a worker that died before its claim. The oldest are sent again. One
 * message too many does no harm: whoever comes second cannot claim.
 *
 * @returns how many were sent
 */
export async function resendLostMessages(deps: SweeperDeps, now: number): Promise<number> {
  const due = await dueJobs(deps, now);
  if (due.length === 0) return 0;
  const waiting = await deps.queue.countWaiting();
  const lost = due.slice(0, Math.max(0, due.length - waiting));
  for (const job of lost) await deps.queue.send(job);
  return lost.length;
}

type DueJob = { job_id: string; user_id: string | null; created_at: number };

async function dueJobs(deps: SweeperDeps, now: number): Promise<DueJob[]> {
  const due: DueJob[] = [];
  for (const shard of statusShards("queued")) {
    let inShard = 0;
    for await (const row of indexRows(deps.db, shard, { forward: true, now })) {
      if ((row.available_at ?? row.created_at) > now - SETTLING_SECONDS) continue;
      due.push({ job_id: row.id, user_id: row.user_id, created_at: row.created_at });
      inShard += 1;
      if (inShard >= RESENDS_PER_ROUND) break;
    }
  }
  return due.sort((a, b) => a.created_at - b.created_at).slice(0, RESENDS_PER_ROUND);
}
