import { isCancellationLive } from "../../shared/domain/jobs/cancellation.ts";
import { handOffToken, isHandOffToken } from "../../shared/domain/jobs/hand-off-token.ts";
import { cancelledRun } from "../../shared/engine/lifecycle/cancelled-run.ts";
import { wakeSession } from "../../shared/engine/lifecycle/wake-waiting.ts";
import type { RunStatus } from "../../shared/schemas/runs/run.ts";
import type { Fence } from "../../shared/stores/jobs/guard.ts";
import type { StoredJob } from "../../shared/stores/jobs/job-item.ts";
import { statusShards } from "../../shared/stores/jobs/job-keys.ts";
import { indexRows, readJobs } from "../../shared/stores/jobs/list-jobs.ts";
import { moveJob } from "../../shared/stores/jobs/move-job.ts";
import { runOf } from "../../shared/stores/run-of-job.ts";
import { getRunHead } from "../../shared/stores/runs/get-run.ts";
import type { StoredRun } from "../../shared/stores/runs/run-item.ts";
import { commitEnding, type Ending, type JobEnding } from "../../shared/stores/transactions/commit-ending.ts";
import { failRun } from "../../shared/stores/transactions/fail-run.ts";
import type { SweeperDeps, Swept } from "./sweeper-deps.ts";

type Recovered = Omit<Swept, "resent" | "woken" | "overdue" | "forgotten" | "expired" | "counted">;
type Result = keyof Recovered | "left";

const ABANDONED =
  "The worker that executed this run stopped without a word, and no attempt is left; the run was not executed again. Requeue the job to run it once more.";

/**
 * Jobs whose worker has been silent for longer than the lock grace. The lock is part of every write's condition, so
 * a heartbeat that arrives in between wins.
 *
 *   run record has ended   → the job ends like it
 *   to be cancelled        → cancelled
 *   between two workers    → its hand-off is sent again
 *   attempts left          → queued again, message sent
 *   no attempt left        → failed, visibly; never executed again
 *
 * @source contract, runs-and-queue 10.6
 */
export async function recoverStaleJobs(deps: SweeperDeps, now: number): Promise<Recovered> {
  const counts: Record<Result, number> = { released: 0, failed: 0, settled: 0, resumed: 0, left: 0 };
  for (const job of await staleJobs(deps, now)) {
    counts[await recoverJob(deps, job, now)] += 1;
  }
  const { left: _left, ...recovered } = counts;
  return recovered;
}

async function staleJobs(deps: SweeperDeps, now: number): Promise<StoredJob[]> {
  const ids: string[] = [];
  for (const shard of statusShards("running")) {
    for await (const row of indexRows(deps.db, shard, { forward: true, now })) ids.push(row.id);
  }
  const jobs = await readJobs(deps.db, ids);
  const staleBefore = now - deps.settings.LOCK_GRACE_SECONDS;
  return jobs
    .filter((job) => job.status === "running" && job.locked_at <= staleBefore)
    .sort((a, b) => (a.locked_at ?? 0) - (b.locked_at ?? 0));
}

async function recoverJob(deps: SweeperDeps, job: StoredJob, now: number): Promise<Result> {
  const fence: Fence = { now, staleBefore: now - deps.settings.LOCK_GRACE_SECONDS };
  const run = await getRunHead(deps.db, runOf(job), now);
  const toBeCancelled = isCancellationLive(job, now);
  const ended = run && settlingMoves[run.status];
  if (ended && (!toBeCancelled || run.status !== "PAUSED"))
    return (await end(deps, job, ended, fence, { error: null })) ? "settled" : "left";
  if (toBeCancelled) {
    const record = run && (await cancelledRecord(deps, run, job, now));
    return (await end(deps, job, "reconcileCancelled", fence, { error: null }, record)) ? "settled" : "left";
  }
  if (isHandOffToken(job.locked_by) && now < timeoutOf(deps, job)) {
    return (await resendHandOff(deps, job, now)) ? "resumed" : "left";
  }
  if (job.attempt < job.attempt_ceiling) {
    const released = await end(deps, job, "release", fence, { available_at: now }, pendingAgain(run));
    if (released) await deps.queue.send({ job_id: job.id, user_id: job.user_id });
    return released ? "released" : "left";
  }
  const retention = deps.settings.JOB_RETENTION_SECONDS;
  const failed = await failRun(deps.db, job, "abandon", fence, ABANDONED, retention);
  if (failed) await wakeSession(deps, failed.waiting);
  return failed ? "failed" : "left";
}

const timeoutOf = ({ settings }: SweeperDeps, job: StoredJob): number =>
  (job.attempt_started_at ?? 0) + settings.EXECUTION_TIMEOUT_SECONDS;

/** Sends the hand-off again of a run between two workers whose message was lost: its token still holds the lock. */
async function resendHandOff(deps: SweeperDeps, job: StoredJob, now: number): Promise<boolean> {
  const { attempt, hops = 0 } = job;
  const refreshed = await moveJob(deps.db, job.id, "heartbeat", { now, worker: handOffToken(hops), attempt });
  if (refreshed.moved)
    await deps.queue.send({ job_id: job.id, user_id: job.user_id, hop: { attempt, number: hops } });
  return refreshed.moved;
}

/** What is written to a run that was read without its large fields. */
type RunRecord = Pick<Ending, "output" | "keeps"> & { readonly events?: Ending["events"] };

async function cancelledRecord(
  { db }: SweeperDeps,
  run: StoredRun,
  { attempt }: StoredJob,
  now: number,
): Promise<RunRecord> {
  const { outcome, events } = await cancelledRun(db, run, attempt, now);
  return { output: outcome.output, keeps: run.output_large, events };
}

const pendingAgain = (run: StoredRun | undefined): RunRecord | undefined =>
  run && { output: { ...run.output, status: "PENDING" }, keeps: run.output_large };

/** How a job ends whose run record ended or paused before the job did. */
const settlingMoves: Partial<Record<RunStatus, JobEnding["move"]>> = {
  COMPLETED: "reconcileCompleted",
  CANCELLED: "reconcileCancelled",
  PAUSED: "reconcilePaused",
};

async function end(
  deps: SweeperDeps,
  job: StoredJob,
  move: JobEnding["move"],
  fence: Fence,
  change: JobEnding["change"],
  record?: RunRecord,
): Promise<boolean> {
  const ended = await commitEnding(deps.db, {
    at: runOf(job),
    attempt: job.attempt,
    output: record?.output,
    keeps: record?.keeps,
    events: record?.events,
    session: undefined,
    job: { row: job, move, fence, change, retentionSeconds: deps.settings.JOB_RETENTION_SECONDS },
  });
  if (ended) await wakeSession(deps, ended.waiting);
  return ended !== undefined;
}
