import type { Handler } from "../../shared/http/handler.ts";
import { requireQueue } from "../../shared/queue/require-queue.ts";
import type { queueRoutes } from "../../shared/routes/queue.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { jobStatuses } from "../../shared/schemas/queue/queue-job.ts";
import { countJobs } from "../../shared/stores/jobs/counters.ts";
import { oldestQueued } from "../../shared/stores/jobs/list-jobs.ts";
import { readQueueUse } from "../../shared/stores/jobs/queue-use.ts";
import type { QueueDeps } from "./queue-deps.ts";

type Needs = Pick<QueueDeps, "db" | "clock" | "settings">;

export const getQueueStats: Handler<typeof queueRoutes.getQueueStats, Needs> = async (
  _request,
  { db, clock, settings },
) => {
  requireQueue(settings);
  const now = epochSeconds(clock);
  const [counts, oldest, { users, waiting }] = await Promise.all([
    countJobs(db, jobStatuses, now),
    oldestQueued(db, now),
    readQueueUse(db, now),
  ]);
  const none = { queued: 0, running: 0, paused: 0, completed: 0, failed: 0, cancelled: 0 };
  return {
    counts: { ...none, ...counts },
    oldest_queued_age_seconds: oldest === undefined ? null : Math.max(0, now - oldest),
    waiting,
    users: [...users],
  };
};
