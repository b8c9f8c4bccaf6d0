import { statusShards } from "../../shared/stores/jobs/job-keys.ts";
import { indexRows } from "../../shared/stores/jobs/list-jobs.ts";
import { inTurn } from "./in-turn.ts";
import type { SweeperDeps } from "./sweeper-deps.ts";

/** A job that has been due for less than this may simply not have been claimed yet. */
const SETTLING_SECONDS = 15;
/** Messages of one round at most; the next round continues. */
const RESENDS_PER_ROUND = 500;
/** A job that is overdue by this much is sent again from time to time, however many messages there are. */
const OVERDUE_SECONDS = 60;
const OVERDUE_PER_ROUND = 10;

/**
 * Queued jobs that are due although the queue holds fewer messages than there are such jobs: the missing ones were lost
 * between the write and the send, or with a worker that died before its claim. The oldest are sent again. One message
 * too many does no harm: the second worker cannot claim.
 *
 * The count alone can be wrong for a long time: a delayed message of a job that is not due is counted for one that has
 * none. So a few jobs that are long overdue are sent again in each round, in
 * turn; behind a backlog that adds ten messages a minute.
 *
 * @param waiting  jobs that wait without a message until another run's end wakes them
 * @returns how many were sent
 */
export async function resendLostMessages(
  deps: SweeperDeps,
  waiting: ReadonlySet<string>,
  now: number,
): Promise<number> {
  const due = await dueJobs(deps, waiting, now);
  if (due.length === 0) return 0;
  const missing = Math.max(0, due.length - (await deps.queue.countWaiting()));
  const overdue = due.slice(missing).filter(({ due_at }) => due_at <= now - OVERDUE_SECONDS);
  const lost = [...due.slice(0, missing), ...inTurn(overdue, OVERDUE_PER_ROUND, now)];
  for (const { job_id, user_id } of lost) await deps.queue.send({ job_id, user_id });
  return lost.length;
}

type DueJob = { job_id: string; user_id: string | null; created_at: number; due_at: number };

async function dueJobs(deps: SweeperDeps, waiting: ReadonlySet<string>, now: number): Promise<DueJob[]> {
  const due: DueJob[] = [];
  for (const shard of statusShards(deps.db, "queued")) {
    let inShard = 0;
    for await (const row of indexRows(deps.db, shard, { forward: true, now })) {
      const due_at = Number(row.available_at ?? row.created_at);
      if (due_at > now - SETTLING_SECONDS || waiting.has(row.id)) continue;
      due.push({ job_id: row.id, user_id: row.user_id, created_at: row.created_at, due_at });
      inShard += 1;
      if (inShard >= RESENDS_PER_ROUND) break;
    }
  }
  return due.sort((a, b) => a.created_at - b.created_at).slice(0, RESENDS_PER_ROUND);
}
