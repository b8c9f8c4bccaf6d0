import { isCancellationLive } from "../../shared/domain/cancellation.ts";
import type { Agent } from "../../shared/engine/agent.ts";
import { cancelledOutcome } from "../../shared/engine/cancelled-outcome.ts";
import { performRun, type RunDeps } from "../../shared/engine/perform-run.ts";
import { type RunOutcome, RunStopped } from "../../shared/engine/run-request.ts";
import type { RunQueue } from "../../shared/queue/run-queue.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { Log } from "../../shared/runtime/log.ts";
import type { Mover } from "../../shared/stores/jobs/guard.ts";
import type { StoredJob } from "../../shared/stores/jobs/job-item.ts";
import { moveJob } from "../../shared/stores/jobs/move-job.ts";
import { runOf } from "../../shared/stores/run-of-job.ts";
import type { EventBatch } from "../../shared/stores/runs/events.ts";
import { nextEventIndex } from "../../shared/stores/runs/events.ts";
import { markRunning } from "../../shared/stores/runs/mark-running.ts";
import type { StoredRun } from "../../shared/stores/runs/run-item.ts";
import { endJob } from "./end-job.ts";
import { keepLock } from "./keep-lock.ts";
import { settleJob } from "./settle-job.ts";

export type WorkerDeps = RunDeps & {
  readonly queue: RunQueue;
  readonly findAgent: (id: string) => Agent | undefined;
  readonly newWorkerId: () => string;
  /** In [0, 1). */
  readonly random: () => number;
  readonly log: Log;
  readonly settings: {
    readonly LOCK_GRACE_SECONDS: number;
    readonly RETRY_BASE_DELAY_SECONDS: number;
    readonly EXECUTION_TIMEOUT_SECONDS: number;
    readonly JOB_RETENTION_SECONDS: number;
  };
};

/** One claimed execution: everything a fenced write needs to know. */
export type Execution = {
  readonly job: StoredJob;
  readonly worker: string;
  readonly mover: () => Mover;
};

/** Time kept back at the end of the function's life to write down how the run ended. */
const ENDING_MS = 10_000;

/**
 * One execution of one job, from the claim to its end. Whoever cannot claim changes nothing: another worker has the
 * job, it has ended, or it is not due.
 *
 *   claim ─▶ mark RUNNING ─▶ perform ─▶ end (one transaction)
 *     │          heartbeat ⋯⋯⋯⋯⋯⋯⋯⋯⋯▶│
 *
 * @param remainingMs  how long this process will live
 * @throws on a store fault: the message comes back, and the lock goes stale if it was taken
 */
export async function executeJob(deps: WorkerDeps, jobId: string, remainingMs: number): Promise<void> {
  const execution = await claimJob(deps, jobId);
  if (!execution) return;
  const { job } = execution;
  const marked = await markRunning(deps.db, runOf(job), job.attempt, epochSeconds(deps.clock));
  if (!marked.started) return settleJob(deps, execution, marked.seen);
  if (isCancellationLive(job, epochSeconds(deps.clock))) return endCancelled(deps, execution, marked.run);
  const agent = deps.findAgent(job.component_id);
  if (!agent) return endWithoutAgent(deps, execution, marked.run);
  await perform(deps, execution, agent, marked.run, remainingMs);
}

async function claimJob(deps: WorkerDeps, jobId: string): Promise<Execution | undefined> {
  const worker = deps.newWorkerId();
  const now = epochSeconds(deps.clock);
  const claimed = await moveJob(deps.db, jobId, "claim", { now, worker });
  if (claimed.moved) {
    const { job } = claimed;
    const mover = () => ({ now: epochSeconds(deps.clock), worker, attempt: job.attempt });
    return { job, worker, mover };
  }
  const { seen } = claimed;
  if (seen?.status === "queued" && seen.available_at !== null && seen.available_at > now) {
    // A wake-up that came too early; the one to come must not be lost with it.
    const delay_seconds = seen.available_at - now;
    await deps.queue.send({ job_id: jobId, user_id: seen.user_id, delay_seconds });
  }
  return undefined;
}

async function perform(
  deps: WorkerDeps,
  execution: Execution,
  agent: Agent,
  run: StoredRun,
  remainingMs: number,
): Promise<void> {
  const stop = new AbortController();
  const lock = keepLock(deps, execution, stop);
  const limitMs = Math.min(deps.settings.EXECUTION_TIMEOUT_SECONDS * 1000, remainingMs - ENDING_MS);
  const timeout = stopAfter(limitMs, stop);
  try {
    const nextIndex = execution.job.attempt === 1 ? 0 : await nextEventIndex(deps.db, run);
    const performed = await performRun(deps, agent, run, {
      attempt: execution.job.attempt,
      nextIndex,
      signal: stop.signal,
    });
    await endJob(deps, execution, run, performed.outcome, performed.events);
  } catch (error) {
    if (!(error instanceof RunStopped && error.kind === "lost")) throw error;
    deps.log.warn("execution lost its lock; nothing more was written", { job_id: run.run_id });
  } finally {
    clearTimeout(timeout);
    await lock.release();
  }
}

function stopAfter(ms: number, stop: AbortController): NodeJS.Timeout {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return setTimeout(
    () => stop.abort(new RunStopped("timeout", `execution timeout: not finished after ${seconds} seconds`)),
    Math.max(0, ms),
  );
}

/** A job that was requeued although somebody still wants it to stop: its first checkpoint is its last. */
function endCancelled(deps: WorkerDeps, execution: Execution, run: StoredRun): Promise<void> {
  return endJob(deps, execution, run, cancelledOutcome(run), noEvents(run, execution));
}

/** A component that is not registered any more fails its jobs visibly instead of letting them circle. */
function endWithoutAgent(deps: WorkerDeps, execution: Execution, run: StoredRun): Promise<void> {
  const error = `agent ${execution.job.component_id} is not registered on this platform any more`;
  const outcome: RunOutcome = {
    status: "ERROR",
    cause: "internal",
    error,
    output: { ...run.output, status: "ERROR", content: error },
  };
  return endJob(deps, execution, run, outcome, noEvents(run, execution));
}

const noEvents = (run: StoredRun, { job }: Execution): EventBatch => ({
  run_id: run.run_id,
  attempt: job.attempt,
  startsOver: false,
  events: [],
});
