import { cancelRun } from "../../shared/engine/lifecycle/cancel-run.ts";
import { wakeSession } from "../../shared/engine/lifecycle/wake-waiting.ts";
import { ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import { requireQueue } from "../../shared/queue/run-queue.ts";
import type { queueRoutes } from "../../shared/routes/queue.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { findJobs } from "../../shared/stores/jobs/find-jobs.ts";
import { getJob, runOf, type StoredJob } from "../../shared/stores/jobs/job-item.ts";
import { getRunHead } from "../../shared/stores/runs/get-run.ts";
import { actOnJobs } from "./act-on-jobs.ts";
import type { QueueDeps } from "./queue-deps.ts";

/**
 * Cancels many jobs that have not ended, the oldest first. If it breaks off, some are cancelled and the others unchanged;
 * the same request continues.
 *
 * @decided ours; the interface cancels one run at a time
 */
export const cancelJobs: Handler<typeof queueRoutes.cancelJobs, QueueDeps> = async (
  { body, signal },
  deps,
) => {
  requireQueue(deps.settings);
  const now = epochSeconds(deps.clock);
  const { jobs, more } = await findJobs(deps.db, { ...body, statuses: body.status }, body.limit, now);
  const answer = { dry_run: body.dry_run, matched: jobs.length, more };
  if (body.dry_run) return { ...answer, cancelled: jobs.map(({ id }) => id), refused: [] };
  const cancel = ({ job }: { readonly job: StoredJob }) => cancelOne(deps, job, now);
  const { done, refused } = await actOnJobs(
    jobs.map((job) => ({ job })),
    cancel,
    signal,
  );
  return { ...answer, cancelled: [...done], refused: [...refused] };
};

/** @returns why it was not cancelled, for the operator */
async function cancelOne(deps: QueueDeps, job: StoredJob, now: number): Promise<string | undefined> {
  const { db, settings } = deps;
  const run = await getRunHead(db, runOf(job), now);
  if (!run) return `session ${job.session_id} was deleted, and the run of job ${job.id} with it`;
  try {
    await wakeSession(deps, await cancelRun(db, run, now, settings.JOB_RETENTION_SECONDS));
  } catch (error) {
    if (error instanceof ServiceError) return error.message;
    throw error;
  }
  const current = await getJob(db, job.id, now);
  const hasEnded = current?.status === "completed" || current?.status === "failed";
  return hasEnded ? `job ${job.id} is ${current.status} by now` : undefined;
}
