import { wakeOne, wakeShare } from "../../engine/lifecycle/wake-waiting.ts";
import { epochSeconds } from "../../runtime/clock.ts";
import type { StoredJob } from "../../stores/jobs/job-item.ts";
import { onlyRunning } from "../../stores/jobs/jobs-of-user.ts";
import {
  listWaitingForShare,
  noteWaiting,
  takeOffWaiting,
  type WaitingJob,
  waitOf,
} from "../../stores/jobs/waiting-jobs.ts";
import type { Due, JobDeps, WorkerDeps } from "./worker-deps.ts";

/** After so many looks another message is sent; only where others take and give back places all the time. */
const LOOKS = 3;
const LOOK_AGAIN_SECONDS = 1;
/** Where more runs than this have the places, one of them will end soon: whether each is under way is not read. */
const VERIFIED_HOLDERS = 25;

/**
 * Takes a place of the user's share, or notes that the job waits for one. An older job of the user that waits goes first.
 *
 * The note is written before it is looked at once more whether the runs that have the places are under way. So either
 * this look finds a run that has ended, or that run's end finds the note.
 */
export async function takePlace(deps: WorkerDeps, { job_id, user_id }: Due): Promise<boolean> {
  const limit = deps.settings.MAX_RUNNING_PER_USER;
  if (limit === 0 || user_id === null) return true;
  const waiting = waitOf({ id: job_id, user_id }, "share", epochSeconds(deps.clock));
  const ended = new Set<string>();
  for (let looks = 1; looks <= LOOKS; looks += 1) {
    const place = await deps.running.take(user_id, job_id, limit, ended);
    if (place.taken) return !place.isCrowded || letOlderPass(deps, user_id, waiting);
    await noteWaiting(deps.db, waiting);
    const over = await notUnderWay(deps, place.by);
    if (over.length === 0) return false;
    for (const id of over) ended.add(id);
    // Whoever takes the note off wakes the job.
    if (!(await takeOffWaiting(deps.db, waiting))) return false;
  }
  await deps.queue.send({ job_id, user_id, delay_seconds: LOOK_AGAIN_SECONDS });
  return false;
}

async function notUnderWay({ db, running }: WorkerDeps, ids: readonly string[]): Promise<string[]> {
  if (ids.length > VERIFIED_HOLDERS) return [];
  const underWay = new Set(await onlyRunning(db, ids));
  return ids.filter((id) => !underWay.has(id) && !running.isTaken(id));
}

/** @returns whether this job may go on: no older one of its user waits */
async function letOlderPass(deps: WorkerDeps, userId: string, own: WaitingJob): Promise<boolean> {
  const [oldest] = await listWaitingForShare(deps.db, userId, 1);
  if (!oldest || oldest.job_id > own.job_id) return true;
  if (oldest.job_id === own.job_id) {
    await takeOffWaiting(deps.db, own);
    return true;
  }
  await noteWaiting(deps.db, own);
  deps.running.giveBack(own.job_id);
  await wakeOne(deps, oldest);
  return false;
}

/** Gives back a place that was taken for a job that could not be claimed: others may have been sent to wait for it. */
export async function giveBackPlace(deps: WorkerDeps, { job_id, user_id }: Due): Promise<void> {
  deps.running.giveBack(job_id);
  await wakeShare(deps, user_id);
}

/** Gives back the place of a run that is under way no longer, to the next of its user. */
export async function leavePlace(deps: JobDeps, { id, user_id }: StoredJob): Promise<void> {
  deps.running?.giveBack(id);
  await wakeShare(deps, user_id, id);
}
