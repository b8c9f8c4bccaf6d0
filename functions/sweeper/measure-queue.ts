import { countInIndex } from "../../shared/stores/jobs/counters.ts";
import { oldestQueued } from "../../shared/stores/jobs/list-jobs.ts";
import { recordOverdue } from "./record-overdue.ts";
import type { SweeperDeps } from "./sweeper-deps.ts";

/**
 * Measures how deep the queue is. It records nothing where nothing waits and nothing runs: a metric of an idle service
 * would cost money every month.
 *
 * @param now  epoch seconds
 */
export async function measureQueue({ db, meter }: SweeperDeps, now: number): Promise<void> {
  if (!meter) return;
  const [queued, running, oldest] = await Promise.all([
    countInIndex(db, "queued"),
    countInIndex(db, "running"),
    oldestQueued(db, now),
  ]);
  if (queued + running === 0) return;
  const age = oldest === undefined ? undefined : Math.max(0, now - oldest);
  meter.record({
    QueuedJobs: queued,
    RunningJobs: running,
    ...(age !== undefined && { OldestQueuedSeconds: age }),
  });
  if (age !== undefined) recordOverdue(meter, "run", age);
}
