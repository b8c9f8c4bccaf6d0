import { planRequeue } from "../../shared/domain/jobs/plan-requeue.ts";
import { notFound, ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import { requireQueue } from "../../shared/queue/run-queue.ts";
import type { queueRoutes } from "../../shared/routes/queue.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { getJob, wireJob } from "../../shared/stores/jobs/job-item.ts";
import type { QueueDeps } from "./queue-deps.ts";
import { requeueOne } from "./requeue-one.ts";

/**
 * Runs a failed or cancelled job once more.
 *
 * @source docs/interface/queue.md 6.1
 */
export const requeueJob: Handler<typeof queueRoutes.requeueJob, QueueDeps> = async (
  { params, query },
  deps,
) => {
  requireQueue(deps.settings);
  const now = epochSeconds(deps.clock);
  const job = await getJob(deps.db, params.job_id, now);
  if (!job) throw notFound("job", params.job_id);
  const plan = planRequeue(job, query, now, deps.settings.LOCK_GRACE_SECONDS);
  const result = await requeueOne(deps, job, plan, now);
  if ("refused" in result) throw new ServiceError("CONFLICT", result.refused);
  return wireJob(result.requeued);
};
