import { type RunQueue, wakeWorker } from "../../queue/run-queue.ts";
import type { Log } from "../../runtime/log.ts";
import type { Db } from "../../stores/db.ts";
import { listRunningOf } from "../../stores/jobs/jobs-of-user.ts";
import { listWaitingForShare, takeOffWaiting, type WaitingJob } from "../../stores/jobs/waiting-jobs.ts";
import type { AwaitingJob } from "../../stores/runs/run-update.ts";

type Sending = { readonly queue: RunQueue; readonly log: Pick<Log, "warn"> };

/** Jobs that get a wake-up together at most; the ends of their runs wake the next ones. */
const MAX_WAKE_UPS = 10;

/** Wakes the jobs that waited for a run of their session. A message that is lost is sent again by the sweeper. */
export async function wakeSession(sending: Sending, waiting: readonly AwaitingJob[]): Promise<void> {
  await Promise.all(waiting.map(({ job_id, user_id }) => wakeWorker(sending, { id: job_id, user_id })));
}

export type SharesDeps = Sending & {
  readonly db: Db;
  readonly settings: { readonly MAX_RUNNING_PER_USER: number };
};

/**
 * Wakes a user's oldest jobs that wait for his share, as many as have room now. Called when one of his runs has ended,
 * or when a place that was taken for one turned out not to be needed.
 *
 * @returns how many wake-ups were sent
 * @param ended  the job whose run has ended: the index may still show it as running
 */
export async function wakeShare(deps: SharesDeps, userId: string | null, ended?: string): Promise<number> {
  const limit = deps.settings.MAX_RUNNING_PER_USER;
  if (userId === null || limit === 0) return 0;
  const waiting = await listWaitingForShare(deps.db, userId, Math.min(limit, MAX_WAKE_UPS));
  if (waiting.length === 0) return 0;
  const running = new Set(await listRunningOf(deps.db, userId));
  if (ended !== undefined) running.delete(ended);
  // The end of a run makes room for one, even where the index does not show it yet.
  const room = Math.max(limit - running.size, ended === undefined ? 0 : 1);
  const chosen = waiting.slice(0, room);
  await Promise.all(chosen.map((one) => wakeOne(deps, one)));
  return chosen.length;
}

/** Of several that wake the same job one sends its message. */
export async function wakeOne(
  deps: Pick<SharesDeps, "db" | "queue" | "log">,
  one: WaitingJob,
): Promise<void> {
  if (await takeOffWaiting(deps.db, one)) await wakeWorker(deps, { id: one.job_id, user_id: one.user_id });
}
