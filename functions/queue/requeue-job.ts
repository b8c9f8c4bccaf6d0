import { planRequeue } from "../../shared/domain/plan-requeue.ts";
import { notFound, ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import { requireQueue } from "../../shared/queue/require-queue.ts";
import type { queueRoutes } from "../../shared/routes/queue.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { getJob } from "../../shared/stores/jobs/get-job.ts";
import { wireJob } from "../../shared/stores/jobs/job-item.ts";
import { runOf } from "../../shared/stores/run-of-job.ts";
import { getRun } from "../../shared/stores/runs/get-run.ts";
import { requeueRun } from "../../shared/stores/transactions/requeue-run.ts";
import type { QueueDeps } from "./queue-deps.ts";

/**
 * Runs a failed or cancelled job once more. The job is queued for good before its message is sent: should the send
 * fail, the sweeper sends it.
 *
 * @source interface, "POST /queue/jobs/{job_id}/requeue"; contract, runs-and-queue 10.9
 */
export const requeueJob: Handler<typeof queueRoutes.requeueJob, QueueDeps> = async (
  { params, query },
  { db, queue, clock, log, settings },
) => {
  requireQueue(settings);
  const now = epochSeconds(clock);
  const job = await getJob(db, params.job_id, now);
  if (!job) throw notFound("job", params.job_id);
  const plan = planRequeue(job, query, now, settings.LOCK_GRACE_SECONDS);
  const run = await getRun(db, runOf(job), now);
  const requeued = await requeueRun(db, job, run, plan, now);
  if (!requeued) {
    throw new ServiceError("CONFLICT", `job ${job.id} changed while it was being requeued; look at it again`);
  }
  await queue
    .send({ job_id: job.id, user_id: job.user_id })
    .catch((error) => log.warn("wake-up not sent", { job_id: job.id, error: String(error) }));
  return wireJob(requeued);
};
