import type { Handler } from "../../shared/http/handler.ts";
import { requireQueue } from "../../shared/queue/run-queue.ts";
import type { queueRoutes } from "../../shared/routes/queue.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { countJobs } from "../../shared/stores/jobs/counters.ts";
import { readQueueUse } from "../../shared/stores/jobs/queue-use.ts";
import type { QueueDeps } from "./queue-deps.ts";

type Needs = Pick<QueueDeps, "db" | "clock" | "settings">;

/** Jobs in these are counted as they come and go, and not read. */
const restingStatuses = ["paused", "completed", "failed", "cancelled"] as const;

export const getQueueStats: Handler<typeof queueRoutes.getQueueStats, Needs> = async (
  _request,
  { db, clock, settings },
) => {
  requireQueue(settings);
  const now = epochSeconds(clock);
  const [resting, use] = await Promise.all([countJobs(db, restingStatuses, now), readQueueUse(db, now)]);
  const { queued, running, oldestQueued, waiting, users } = use;
  const none = { paused: 0, completed: 0, failed: 0, cancelled: 0 };
  return {
    counts: { queued, running, ...none, ...resting },
    oldest_queued_age_seconds: oldestQueued === undefined ? null : Math.max(0, now - oldestQueued),
    waiting,
    users: [...users],
  };
};
