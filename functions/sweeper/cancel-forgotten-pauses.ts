import { cancelRun } from "../../shared/engine/lifecycle/cancel-run.ts";
import { runOf, type StoredJob } from "../../shared/stores/jobs/job-item.ts";
import { statusShards } from "../../shared/stores/jobs/job-keys.ts";
import { indexRows, readJobs } from "../../shared/stores/jobs/list-jobs.ts";
import { getRunHead } from "../../shared/stores/runs/get-run.ts";
import type { SweeperDeps } from "./sweeper-deps.ts";

/** Jobs of one round at most; the next round continues. */
const CANCELLED_PER_ROUND = 100;

const FORGOTTEN =
  "The run waited for an answer for longer than this platform lets a run wait, and was cancelled; it did not go on.";

/**
 * Cancels paused runs without an answer within their life, as a person would have done it. An answer that
 * arrives in between wins, because the cancellation is refused by its own write when the job is no longer paused.
 *
 * @param now  epoch seconds
 * @returns    how many were cancelled
 * @decided    A state that only a person ends needs a limit, or it is stored for ever.
 */
export async function cancelForgottenPauses(deps: SweeperDeps, now: number): Promise<number> {
  const life = deps.settings.PAUSE_LIFE_SECONDS;
  if (life === 0) return 0;
  const forgotten = await pausedBefore(deps, now - life, now);
  for (const job of forgotten) {
    const run = await getRunHead(deps.db, runOf(job), now);
    if (run) await cancelRun(deps.db, run, now, deps.settings.JOB_RETENTION_SECONDS, FORGOTTEN);
  }
  return forgotten.length;
}

/** They were accepted before that moment too, and rows are in that order: reading the oldest ones is enough. */
async function pausedBefore({ db }: SweeperDeps, before: number, now: number): Promise<StoredJob[]> {
  const ids: string[] = [];
  for (const shard of statusShards(db, "paused")) {
    for await (const row of indexRows(db, shard, { forward: true, now })) {
      if (row.created_at > before || ids.length >= CANCELLED_PER_ROUND) break;
      if (Number(row.updated_at ?? row.created_at) <= before) ids.push(row.id);
    }
  }
  const jobs = await readJobs(db, ids);
  // Nothing changes a paused job but what ends the pause, so the last change is when it began.
  return jobs.filter((job) => job.status === "paused" && (job.updated_at ?? job.created_at) <= before);
}
