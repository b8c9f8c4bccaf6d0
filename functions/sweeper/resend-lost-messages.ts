import { dueJobs, jobWork } from "../../shared/stores/jobs/job-work.ts";
import { inTurn } from "./in-turn.ts";
import type { SweeperDeps } from "./sweeper-deps.ts";

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
  const due = await dueJobs(deps.db, now, waiting);
  if (due.length === 0) return 0;
  const missing = Math.max(0, due.length - (await deps.queue.countWaiting()));
  const overdue = due.slice(missing).filter(({ dueAt }) => dueAt <= now - OVERDUE_SECONDS);
  const lost = [...due.slice(0, missing), ...inTurn(overdue, OVERDUE_PER_ROUND, now)];
  for (const { row } of lost) await deps.queue.send(jobWork.message(row, now));
  return lost.length;
}
