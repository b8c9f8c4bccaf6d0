import { epochSeconds } from "../../shared/runtime/clock.ts";
import { getJob } from "../../shared/stores/jobs/get-job.ts";
import type { Fence } from "../../shared/stores/jobs/guard.ts";
import type { StoredJob } from "../../shared/stores/jobs/job-item.ts";
import { type Moved, moveJob } from "../../shared/stores/jobs/move-job.ts";
import { runOf } from "../../shared/stores/run-of-job.ts";
import { isRunLive } from "../../shared/stores/runs/live-runs.ts";
import type { WorkerDeps } from "./worker-deps.ts";

/**
 * Claims a job when its turn has come. For a job that is too early another message is sent with a delay: this one is
 * used up.
 *
 *   user at the limit of running runs  → again in a second or two
 *   not due                            → again when it is
 *   waits for a run of its session     → again in a second or two; claimed once they all have ended
 *
 * A job that waits for no other run costs the claim alone. The wait is a condition of the claim itself, so no worker
 * can skip it.
 *
 * @returns the claimed job; undefined when it is too early, or when another worker has it or it has ended
 */
export async function claimInTurn(
  deps: WorkerDeps,
  jobId: string,
  worker: string,
): Promise<StoredJob | undefined> {
  if (!(await mayRunOneMore(deps, jobId))) return undefined;
  const fence: Fence = { now: epochSeconds(deps.clock), worker };
  const claimed = await claim(deps, jobId, fence);
  if (claimed.moved) return claimed.job;
  const { seen } = claimed;
  if (seen?.status === "queued") await wakeLater(deps, seen, waitOf(seen, fence.now));
  return undefined;
}

async function claim(deps: WorkerDeps, jobId: string, fence: Fence): Promise<Moved> {
  const claimed = await moveJob(deps.db, jobId, "claim", fence);
  if (claimed.moved || !claimed.seen?.waits_for || !isDue(claimed.seen, fence.now)) return claimed;
  if (await isAnyLive(deps, claimed.seen, claimed.seen.waits_for, fence.now)) return claimed;
  return moveJob(deps.db, jobId, "claim", { ...fence, turnHasCome: true }, { waits_for: undefined });
}

/** Reads one after the other, the newest first: it is the likeliest to be live, and one live run is enough. */
async function isAnyLive(
  { db }: WorkerDeps,
  job: StoredJob,
  runIds: readonly string[],
  now: number,
): Promise<boolean> {
  for (const run_id of runIds) if (await isRunLive(db, { ...runOf(job), run_id }, now)) return true;
  return false;
}

async function mayRunOneMore(deps: WorkerDeps, jobId: string): Promise<boolean> {
  const limit = deps.settings.MAX_RUNNING_PER_USER;
  if (limit === 0) return true;
  const now = epochSeconds(deps.clock);
  const job = await getJob(deps.db, jobId, now);
  if (job?.status !== "queued") return false;
  // A job that the claim would refuse anyway must not take the place of one that it would accept.
  if (!isDue(job, now) || (await deps.running.admit(job.user_id, job.id, limit))) return true;
  await wakeLater(deps, job, waitOf(job, now));
  return false;
}

const isDue = ({ available_at, created_at }: StoredJob, now: number): boolean =>
  (available_at ?? created_at) <= now;

/** A job that has waited for less than this is tried again every second, others every two. */
const SHORT_WAIT_SECONDS = 10;

function waitOf({ available_at, created_at }: StoredJob, now: number): number {
  const dueIn = (available_at ?? created_at) - now;
  if (dueIn > 0) return dueIn;
  return -dueIn < SHORT_WAIT_SECONDS ? 1 : 2;
}

const wakeLater = ({ queue }: WorkerDeps, { id, user_id }: StoredJob, delay_seconds: number) =>
  queue.send({ job_id: id, user_id, delay_seconds });
