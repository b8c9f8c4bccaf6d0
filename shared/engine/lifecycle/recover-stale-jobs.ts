import { handOffToken, isHandOffToken } from "../../domain/jobs/hand-off-token.ts";
import type { RunStatus } from "../../schemas/runs/run.ts";
import type { Db } from "../../stores/db.ts";
import { runOf, type StoredJob } from "../../stores/jobs/job-item.ts";
import { statusShards } from "../../stores/jobs/job-keys.ts";
import { indexRows, readJobs } from "../../stores/jobs/list-jobs.ts";
import { type Fence, moveJob } from "../../stores/jobs/move-job.ts";
import { getRunHead } from "../../stores/runs/get-run.ts";
import { isCancellationLive } from "../../stores/runs/run-cancellation.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import { commitEnding } from "../../stores/transactions/commit-ending.ts";
import type { Ended, Ending, JobEnding } from "../../stores/transactions/ending.ts";
import { failRun } from "../../stores/transactions/fail-run.ts";
import { CANCELLED_RECORD, cancelledRun } from "./cancel-run.ts";
import { type SharesDeps, wakeSession, wakeShare } from "./wake-waiting.ts";

export type RecoveryNeeds = SharesDeps & {
  readonly settings: {
    readonly LOCK_GRACE_SECONDS: number;
    readonly JOB_RETENTION_SECONDS: number;
    readonly MAX_ATTEMPTS: number;
    readonly EXECUTION_TIMEOUT_SECONDS: number;
  };
};

/** What became of jobs whose lock was stale. */
export type Recovered = {
  /** Queued again. */
  readonly released: number;
  /** Failed because no attempt was left. */
  readonly failed: number;
  /** Ended as their run had. */
  readonly settled: number;
  /** Between two workers: their hand-off was sent again. */
  readonly resumed: number;
};
type Result = keyof Recovered | "left";

export type LocksSeen = {
  readonly recovered: Recovered;
  /** When the locks that are held now were taken or refreshed; epoch seconds. */
  readonly lockedAt: readonly number[];
};

/** Jobs that are recovered side by side: many may have been lost with one machine. */
const AT_A_TIME = 10;

const CANCELLED_ABANDONED =
  "The run was cancelled, and the worker that executed it stopped without a word; it did not go on.";
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
 */
export async function recoverStaleJobs(deps: RecoveryNeeds, now: number): Promise<LocksSeen> {
  const running = await runningJobs(deps.db, now);
  const staleBefore = now - deps.settings.LOCK_GRACE_SECONDS;
  const stale = running
    .filter((job) => job.locked_at <= staleBefore)
    .sort((a, b) => a.locked_at - b.locked_at);
  const counts: Record<Result, number> = { released: 0, failed: 0, settled: 0, resumed: 0, left: 0 };
  const faults: unknown[] = [];
  for (let from = 0; from < stale.length; from += AT_A_TIME) {
    const some = stale.slice(from, from + AT_A_TIME).map((job) => recoverLogged(deps, job, now));
    for (const result of await Promise.allSettled(some)) {
      if (result.status === "fulfilled") counts[result.value] += 1;
      else faults.push(result.reason);
    }
  }
  // A job that cannot be recovered does not keep the others from it.
  if (faults.length > 0) throw faults[0];
  const { left, ...recovered } = counts;
  const fresh = running.filter((job) => job.locked_at > staleBefore).map((job) => job.locked_at);
  const stillHeld = left + recovered.resumed > 0 ? [now] : [];
  return { recovered, lockedAt: [...fresh, ...stillHeld] };
}

type RunningJob = Extract<StoredJob, { status: "running" }>;
const isRunning = (job: StoredJob): job is RunningJob => job.status === "running";

async function runningJobs(db: Db, now: number): Promise<RunningJob[]> {
  const shards = await Promise.all(
    statusShards(db, "running").map(async (shard) => {
      const ids: string[] = [];
      for await (const { id } of indexRows(db, shard, { forward: true, now, only: ["id"] })) ids.push(id);
      return ids;
    }),
  );
  const jobs = await readJobs(db, shards.flat());
  return jobs.filter(isRunning);
}

/** The log of a run says what became of it: its own worker cannot. */
async function recoverLogged(deps: RecoveryNeeds, job: StoredJob, now: number): Promise<Result> {
  const result = await recoverJob(deps, job, now);
  const { id: run_id, attempt } = job;
  if (result !== "left") deps.log.warn("the worker of a run went silent", { run_id, attempt, result });
  return result;
}

async function recoverJob(deps: RecoveryNeeds, job: StoredJob, now: number): Promise<Result> {
  const fence: Fence = { now, staleBefore: now - deps.settings.LOCK_GRACE_SECONDS };
  const run = await getRunHead(deps.db, runOf(job), now);
  const toBeCancelled = isCancellationLive(job, now);
  const ended = run && settlingMoves[run.status];
  if (ended && (!toBeCancelled || run.status !== "PAUSED"))
    return (await end(deps, job, ended, fence, {
      error: run.status === "CANCELLED" ? CANCELLED_RECORD : null,
    }))
      ? "settled"
      : "left";
  if (toBeCancelled) {
    const record = run && (await cancelledRecord(deps, run, job, now));
    const change = { error: CANCELLED_ABANDONED };
    return (await end(deps, job, "reconcileCancelled", fence, change, record)) ? "settled" : "left";
  }
  if (isHandOffToken(job.locked_by) && now < timeoutOf(deps, job)) {
    return (await resendHandOff(deps, job, now)) ? "resumed" : "left";
  }
  if (job.attempt < job.attempt_ceiling) {
    const released = await end(deps, job, "release", fence, { available_at: now }, pendingAgain(run));
    if (released) await deps.queue.send({ job_id: job.id, user_id: job.user_id });
    return released ? "released" : "left";
  }
  const failed = await failRun(deps.db, job, "abandon", fence, ABANDONED, deps.settings);
  await wakeWaiting(deps, job, failed);
  return failed ? "failed" : "left";
}

/** Whatever waited for the run itself, or for the place that it had. */
async function wakeWaiting(deps: RecoveryNeeds, job: StoredJob, ended: Ended | undefined): Promise<void> {
  if (!ended) return;
  await wakeSession(deps, ended.waiting);
  await wakeShare(deps, job.user_id, job.id);
}

const timeoutOf = ({ settings }: RecoveryNeeds, job: StoredJob): number =>
  (job.attempt_started_at ?? 0) + settings.EXECUTION_TIMEOUT_SECONDS;

/** Sends the hand-off again of a run between two workers whose message was lost: its token still holds the lock. */
async function resendHandOff(deps: RecoveryNeeds, job: StoredJob, now: number): Promise<boolean> {
  const { attempt, hops = 0 } = job;
  const refreshed = await moveJob(deps.db, job.id, "heartbeat", { now, worker: handOffToken(hops), attempt });
  if (refreshed.moved)
    await deps.queue.send({ job_id: job.id, user_id: job.user_id, hop: { attempt, number: hops } });
  return refreshed.moved;
}

/** What is written to a run that was read without its large fields. */
type RunRecord = Pick<Ending, "output" | "keeps" | "publishedRun"> & { readonly events?: Ending["events"] };

async function cancelledRecord(
  { db }: RecoveryNeeds,
  run: StoredRun,
  { attempt }: StoredJob,
  now: number,
): Promise<RunRecord> {
  const { outcome, events } = await cancelledRun(db, run, attempt, now, CANCELLED_ABANDONED);
  return { publishedRun: run, output: outcome.output, keeps: run.output_large, events };
}

const pendingAgain = (run: StoredRun | undefined): RunRecord | undefined =>
  run && { publishedRun: undefined, output: { ...run.output, status: "PENDING" }, keeps: run.output_large };

/** How a job ends whose run record ended or paused before the job did. */
const settlingMoves: Partial<Record<RunStatus, JobEnding["move"]>> = {
  COMPLETED: "reconcileCompleted",
  CANCELLED: "reconcileCancelled",
  PAUSED: "reconcilePaused",
};

async function end(
  deps: RecoveryNeeds,
  job: StoredJob,
  move: JobEnding["move"],
  fence: Fence,
  change: JobEnding["change"],
  record?: RunRecord,
): Promise<boolean> {
  const ended = await commitEnding(deps.db, {
    at: runOf(job),
    attempt: job.attempt,
    publishedRun: record?.publishedRun,
    output: record?.output,
    keeps: record?.keeps,
    events: record?.events,
    session: undefined,
    job: { row: job, move, fence, change, retentionSeconds: deps.settings.JOB_RETENTION_SECONDS },
  });
  await wakeWaiting(deps, job, ended);
  return ended !== undefined;
}
