import { notFound } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import { requireQueue } from "../../shared/queue/run-queue.ts";
import type { queueRoutes } from "../../shared/routes/queue.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { getJob as findJob, wholeJob, wireJob } from "../../shared/stores/jobs/job-item.ts";
import type { QueueDeps } from "./queue-deps.ts";

type Needs = Pick<QueueDeps, "db" | "clock" | "settings">;

export const getJob: Handler<typeof queueRoutes.getJob, Needs> = async (
  { params },
  { db, clock, settings },
) => {
  requireQueue(settings);
  const job = await findJob(db, params.job_id, epochSeconds(clock));
  if (!job) throw notFound("job", params.job_id);
  return wireJob(await wholeJob(db, job));
};
