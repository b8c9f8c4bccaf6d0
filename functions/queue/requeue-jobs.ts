import { planRequeue, type RequeuePlan } from "../../shared/domain/jobs/plan-requeue.ts";
import { ServiceError } from "../../shared/errors.ts";
import type { Handler, HandlerRequest } from "../../shared/http/handler.ts";
import { requireQueue } from "../../shared/queue/run-queue.ts";
import type { queueRoutes } from "../../shared/routes/queue.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { findJobs } from "../../shared/stores/jobs/find-jobs.ts";
import type { StoredJob } from "../../shared/stores/jobs/job-item.ts";
import { actOnJobs, type RefusedJob } from "./act-on-jobs.ts";
import type { QueueDeps } from "./queue-deps.ts";
import { requeueOne } from "./requeue-one.ts";

type Request = HandlerRequest<typeof queueRoutes.requeueJobs>;

/** What is planned for one job, and the result. */
type Planned = { readonly job: StoredJob; readonly plan: RequeuePlan };

/**
 * Runs many failed or cancelled jobs once more, the oldest first. The rate is in the jobs themselves: each becomes
 * due a little after the one before it, so nothing waits here.
 *
 *   per_second = 2    due now │ now │ +1 │ +1 │ +2 │ …
 *
 * If it breaks off, some jobs are requeued and the others unchanged; the same request continues.
 *
 * @decided ours; the interface requeues one job at a time
 */
export const requeueJobs: Handler<typeof queueRoutes.requeueJobs, QueueDeps> = async (
  { body, signal },
  deps,
) => {
  requireQueue(deps.settings);
  const now = epochSeconds(deps.clock);
  const filter = { ...body, statuses: body.status };
  const { jobs, more } = await findJobs(deps.db, filter, body.limit, now);
  const { planned, refused } = planAll(jobs, body, now, deps.settings.LOCK_GRACE_SECONDS);
  const answer = { dry_run: body.dry_run, matched: jobs.length, more };
  if (body.dry_run) return { ...answer, requeued: planned.map(({ job }) => job.id), refused };
  const requeue = async ({ job, plan }: Planned, position: number) => {
    const dueAt = now + Math.floor(position / body.per_second);
    const result = await requeueOne(deps, job, plan, now, dueAt);
    return "refused" in result ? result.refused : undefined;
  };
  const acted = await actOnJobs(planned, requeue, signal);
  return { ...answer, requeued: [...acted.done], refused: [...refused, ...acted.refused] };
};

function planAll(jobs: readonly StoredJob[], body: Request["body"], now: number, lockGraceSeconds: number) {
  const planned: Planned[] = [];
  const refused: RefusedJob[] = [];
  for (const job of jobs) {
    try {
      planned.push({ job, plan: planRequeue(job, body, now, lockGraceSeconds) });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      refused.push({ id: job.id, detail: error.message });
    }
  }
  return { planned, refused };
}
