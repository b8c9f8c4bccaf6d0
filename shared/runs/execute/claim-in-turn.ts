import { epochSeconds } from "../../runtime/clock.ts";
import type { StoredJob } from "../../stores/jobs/job-item.ts";
import { type Fence, type Moved, moveJob } from "../../stores/jobs/move-job.ts";
import { noteWaiting, takeOffWaiting, waitOf } from "../../stores/jobs/waiting-jobs.ts";
import { runOf } from "../../stores/run-of-job.ts";
import { onlyLive } from "../../stores/runs/listing/live-runs.ts";
import { awaitRun } from "../../stores/runs/run-update.ts";
import { passOnOrMigrate, pinnedBy } from "./code-pin.ts";
import { giveBackPlace, takePlace } from "./place-of-user.ts";
import type { Due, WorkerDeps } from "./worker-deps.ts";

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
  if (!seen.waits_for) return claimOfAnotherVersion(deps, seen, fence);
  if (await waitForSession(deps, seen, seen.waits_for, fence.now)) return undefined;
  return afterItsSession(deps, seen, fence);
}

/** A job that began with another version of the code goes there; it is claimed here when that version is gone. */
async function claimOfAnotherVersion(
  deps: WorkerDeps,
  job: StoredJob,
  fence: Fence,
): Promise<Claimed | undefined> {
  const migrating = await passOnOrMigrate(deps, job);
  if (!migrating) return undefined;
  const claimed = await moveJob(deps.db, job.id, "claim", { ...fence, ...migrating });
  return claimed.moved ? { job: claimed.job, migrates: true } : undefined;
}

const dueAt = ({ available_at, created_at }: StoredJob): number => available_at ?? created_at;

/** Every run that the job waited for has ended. */
async function afterItsSession(deps: WorkerDeps, job: StoredJob, fence: Fence): Promise<Claimed | undefined> {
  const turn = { ...fence, turnHasCome: true } as const;
  const claimed: Moved = await moveJob(deps.db, job.id, "claim", turn, { waits_for: undefined });
  if (!claimed.moved) return undefined;
  await takeOffWaiting(deps.db, waitOf(job, "session", fence.now));
  return claimed;
}

/**
 * Has the end of a live run wake the job: that of the newest, which is likely to be the last to end.
 *
 * @returns false when none is live
 */
async function waitForSession(
  { db }: WorkerDeps,
  job: StoredJob,
  runIds: readonly string[],
  now: number,
): Promise<boolean> {
  const awaiting = { job_id: job.id, user_id: job.user_id };
  for (const run_id of await onlyLive(db, runOf(job), runIds, now)) {
    if (!(await awaitRun(db, { ...runOf(job), run_id }, awaiting, now))) continue;
    await noteWaiting(db, waitOf(job, "session", now));
    return true;
  }
  return false;
}
