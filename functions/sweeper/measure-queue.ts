import { countInIndex } from "../../shared/stores/jobs/counters.ts";
import { oldestQueued } from "../../shared/stores/jobs/list-jobs.ts";
import type { SweeperDeps } from "./sweeper-deps.ts";

/**
 * Measures how deep the queue is. Where nothing waits and nothing runs it measures nothing: a figure of an idle service
 * would be paid for every month.
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
  const age = oldest === undefined ? {} : { OldestQueuedSeconds: Math.max(0, now - oldest) };
  meter.record({ QueuedJobs: queued, RunningJobs: running, ...age });
}
