import { wakeShare } from "../../shared/engine/lifecycle/wake-waiting.ts";
import { wakeWorker } from "../../shared/queue/run-queue.ts";
import { readJobs } from "../../shared/stores/jobs/list-jobs.ts";
import { listWaiting, takeOffWaiting, type WaitingJob } from "../../shared/stores/jobs/waiting-jobs.ts";
import { inTurn } from "./in-turn.ts";
import type { SweeperDeps } from "./sweeper-deps.ts";

/** A run of the session that ended has sent the job its wake-up long before this. */
const FORGOTTEN_SECONDS = 60;
/** Jobs of a session that are sent a wake-up in one round at most; each gets another one in its turn. */
const WAKE_UPS_PER_ROUND = 100;
/** Notes that are compared with their jobs in one round. */
const COMPARED_PER_ROUND = 200;

/** Jobs that wait without a message. */
export type Waiting = {
  readonly jobIds: ReadonlySet<string>;
  /** How many were sent a message. */
  readonly notified: number;
};

/**
 * The net below the wake-ups of jobs that wait without a message: wakes those for whom there is room by now, because
 * the process that was to wake them died, and those whose session has shown no progress for a minute: the run that they
 * wait for may have lost its process. A worker that finds it too early notes the wait again.
 *
 * @param now  epoch seconds
 */
export async function wakeWaitingJobs(deps: SweeperDeps, now: number): Promise<Waiting> {
  const all: WaitingJob[] = [];
  for await (const waiting of listWaiting(deps.db)) all.push(waiting);
  const forShare = all.filter(({ reason }) => reason === "share");
  let notified = 0;
  for (const user of new Set(forShare.map(({ user_id }) => user_id)))
    notified += await wakeShare(withoutLimitOff(deps), user);
  const forgotten = all.filter(
    ({ reason, since }) => reason === "session" && since <= now - FORGOTTEN_SECONDS,
  );
  for (const { job_id, user_id } of inTurn(forgotten, WAKE_UPS_PER_ROUND, now)) {
    await wakeWorker(deps, { id: job_id, user_id });
    notified += 1;
  }
  await takeOffEnded(deps, inTurn(all, COMPARED_PER_ROUND, now));
  return { jobIds: new Set(all.map(({ job_id }) => job_id)), notified };
}

/** Where the limit was switched off, there is room for every job that still waits for it. */
function withoutLimitOff({ settings, ...deps }: SweeperDeps): SweeperDeps {
  const limit = settings.MAX_RUNNING_PER_USER || Number.POSITIVE_INFINITY;
  return { ...deps, settings: { ...settings, MAX_RUNNING_PER_USER: limit } };
}

/** Takes off the notes of jobs that wait no longer: cancelled ones, and those whose worker died after its claim. */
async function takeOffEnded({ db }: SweeperDeps, notes: readonly WaitingJob[]): Promise<void> {
  const jobs = await readJobs(
    db,
    notes.map(({ job_id }) => job_id),
  );
  const queued = new Set(jobs.flatMap(({ id, status }) => (status === "queued" ? [id] : [])));
  for (const note of notes) if (!queued.has(note.job_id)) await takeOffWaiting(db, note);
}
