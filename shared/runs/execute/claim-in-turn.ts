import { wakeOne, wakeShare } from "../../engine/lifecycle/wake-waiting.ts";
import { epochSeconds } from "../../runtime/clock.ts";
import { runOf, type StoredJob } from "../../stores/jobs/job-item.ts";
import { onlyRunning } from "../../stores/jobs/jobs-of-user.ts";
import { type Fence, moveJob } from "../../stores/jobs/move-job.ts";
import {
  listWaitingForShare,
  noteWaiting,
  takeOffWaiting,
  type WaitingJob,
  waitOf,
} from "../../stores/jobs/waiting-jobs.ts";
import { onlyOpen } from "../../stores/runs/listing/live-runs.ts";
import { awaitRun } from "../../stores/runs/run-update.ts";
import { claimAfter } from "../../stores/transactions/claim-after.ts";
import { passOnOrMigrate, pinnedBy } from "./code-pin.ts";
import type { Due, JobDeps, WorkerDeps } from "./worker-deps.ts";

/** A claimed job. `migrates`: the version of the code that it began with is gone. */
export type Claimed = { readonly job: StoredJob; readonly migrates?: true };

/**
 * Claims a job when its turn has come. Otherwise the message is used up, and the job waits without one:
 *
 *   its user has all the runs under way that one user may have  → the end of one of them wakes the user's oldest
 *   waits for a run of its session                              → the end of that run wakes it
 *   not due                                                     → a delayed message
 *   began with another version of the code                      → that version is invoked
 *
 * That a job waits for a run of its session, or is pinned to another version, is a condition of the claim itself, so no
 * worker can skip it.
 *
 * @returns the claimed job; undefined when it is too early, or when another worker has it or it has ended
 */
export async function claimInTurn(deps: WorkerDeps, due: Due, worker: string): Promise<Claimed | undefined> {
  if (!(await takePlace(deps, due))) return undefined;
  const claimed = await claim(deps, due, { now: epochSeconds(deps.clock), worker, ...pinnedBy(deps) });
  if (claimed) return claimed;
  await giveBackPlace(deps, due);
  return undefined;
}

async function claim(deps: WorkerDeps, due: Due, fence: Fence): Promise<Claimed | undefined> {
  const claimed = await moveJob(deps.db, due.job_id, "claim", fence);
  if (claimed.moved) return claimed;
  const { seen } = claimed;
  if (seen?.status !== "queued") return undefined;
  const dueIn = dueAt(seen) - fence.now;
  if (dueIn > 0) {
    await deps.queue.send({ ...due, delay_seconds: dueIn });
    return undefined;
  }
  if (seen.postponed) {
    const resumed = await moveJob(deps.db, due.job_id, "resume", fence);
    return resumed.moved ? resumed : claimOfAnotherVersion(deps, seen, fence);
  }
  if (!seen.waits_for) return claimOfAnotherVersion(deps, seen, fence);
  return afterItsSession(deps, seen, seen.waits_for, fence);
}

/** A job that began with another version of the code goes there; it is claimed here when that version is gone. */
async function claimOfAnotherVersion(
  deps: WorkerDeps,
  job: StoredJob,
  fence: Fence,
): Promise<Claimed | undefined> {
  const migrating = await passOnOrMigrate(deps, job);
  if (!migrating) return undefined;
  const move = job.postponed ? "resume" : "claim";
  const claimed = await moveJob(deps.db, job.id, move, { ...fence, ...migrating }, { waits_for: undefined });
  return claimed.moved ? { job: claimed.job, migrates: true } : undefined;
}

const dueAt = ({ available_at, created_at }: StoredJob): number => available_at ?? created_at;

/**
 * Waits for a run of its session that is live; claims the job when none is.
 *
 * @param runIds  that the job waits for
 */
async function afterItsSession(
  deps: WorkerDeps,
  job: StoredJob,
  runIds: readonly string[],
  fence: Fence,
): Promise<Claimed | undefined> {
  for (;;) {
    const { live, paused } = await onlyOpen(deps.db, runOf(job), runIds, fence.now);
    if (await waitForOneOf(deps, job, live, fence.now)) return undefined;
    // One that ended meanwhile may have paused, and one that paused may have gone on.
    if (live.length > 0) continue;
    const moved = await claimAfter(deps.db, job, fence, paused);
    if (moved === "gone_on") continue;
    // One that continues after a pause is pinned already.
    const elsewhere =
      !moved.moved && moved.seen?.status === "queued"
        ? await claimOfAnotherVersion(deps, moved.seen, { ...fence, turnHasCome: true })
        : undefined;
    const claimed = moved.moved ? moved : elsewhere;
    if (claimed) await takeOffWaiting(deps.db, waitOf(job, "session", fence.now));
    return claimed;
  }
}

/**
 * Has the end of a live run wake the job: that of the newest, which is likely to be the last to end.
 *
 * @returns false when none is live any more
 */
async function waitForOneOf(
  { db }: WorkerDeps,
  job: StoredJob,
  live: readonly string[],
  now: number,
): Promise<boolean> {
  const awaiting = { job_id: job.id, user_id: job.user_id };
  for (const run_id of live) {
    if (!(await awaitRun(db, { ...runOf(job), run_id }, awaiting, now))) continue;
    await noteWaiting(db, waitOf(job, "session", now));
    return true;
  }
  return false;
}

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
async function takePlace(deps: WorkerDeps, { job_id, user_id }: Due): Promise<boolean> {
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
async function giveBackPlace(deps: WorkerDeps, { job_id, user_id }: Due): Promise<void> {
  deps.running.giveBack(job_id);
  await wakeShare(deps, user_id);
}

/** Gives back the place of a run that is under way no longer, to the next of its user. */
export async function leavePlace(deps: JobDeps, { id, user_id }: StoredJob): Promise<void> {
  deps.running?.giveBack(id);
  await wakeShare(deps, user_id, id);
}
