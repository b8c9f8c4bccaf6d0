import { planRetry } from "../../domain/jobs/plan-retry.ts";
import { CANCELLED_RECORD, cancelledInstead } from "../../engine/lifecycle/cancel-run.ts";
import { nestedRuns, onlineEvalOf, pauseOf } from "../../engine/lifecycle/end-run.ts";
import { inboxEnding } from "../../engine/lifecycle/inbox.ts";
import {
  recordEnding,
  recordFailure,
  sessionProgress,
  stateProgress,
  tokenProgress,
} from "../../engine/lifecycle/record-ending.ts";
import { wakeSession } from "../../engine/lifecycle/wake-waiting.ts";
import type { RunOutcome } from "../../engine/run/run-outcome.ts";
import { runOf, type StoredJob } from "../../stores/jobs/job-item.ts";
import { isFailureOf } from "../../stores/runs/event-base.ts";
import type { EventBatch } from "../../stores/runs/events.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import { commitEnding } from "../../stores/transactions/commit-ending.ts";
import type { JobEnding } from "../../stores/transactions/ending.ts";
import { leavePlace } from "./claim-in-turn.ts";
import type { Execution, JobDeps, WorkerDeps } from "./worker-deps.ts";

type Failure = Extract<RunOutcome, { status: "ERROR" }>;

/** Writes how an execution ended, under its fence. A refused write means that another worker owns the run by now. */
export async function endJob(
  deps: JobDeps,
  execution: Execution,
  run: StoredRun,
  outcome: RunOutcome,
  events: EventBatch,
): Promise<void> {
  const { job } = execution;
  if (outcome.status === "ERROR") {
    recordFailure(deps, { run_id: run.run_id, attempt: job.attempt }, outcome);
    const plan = planRetry(
      outcome.cause,
      job.attempt,
      job.attempt_ceiling,
      deps.settings.RETRY_BASE_DELAY_SECONDS,
      deps.random(),
    );
    if (plan.retry === "later") return retryLater(deps, execution, run, outcome, events, plan.after_seconds);
  }
  const written = await commitEnding(deps.db, {
    at: runOf(job),
    attempt: job.attempt,
    publishedRun: run,
    output: outcome.output,
    events,
    session: sessionProgress(run, outcome, execution.fence().now),
    state: stateProgress(run, outcome),
    ...pauseOf(run, outcome, execution.fence().now, deps.settings),
    nested: nestedRuns({ ...run, attempt: job.attempt }, outcome),
    evaluation: onlineEvalOf(run, outcome, execution.fence().now),
    inbox: inboxEnding(run, outcome, deps.settings.MAX_ATTEMPTS, execution.fence().now),
    job: jobEnding(deps, execution, moveOf[outcome.status], { error: errorOf(outcome) }),
  });
  if (written) {
    recordEnding(deps.meter, outcome, run);
    await wakeSession(deps, written.waiting);
    await leavePlace(deps, job);
    return wakeAnswered(deps, job);
  }
  if (outcome.status === "PAUSED") return cancelInstead(deps, execution, run, { outcome, events });
  deps.log.warn("stale attempt: final write rejected", { job_id: job.id, attempt: job.attempt });
}

/**
 * Ends a run as cancelled that was to continue (paused, or retried later) while its cancellation was requested. If the
 * lock was lost, this write is refused like the first.
 */
async function cancelInstead(
  deps: JobDeps,
  execution: Execution,
  run: StoredRun,
  executed: { readonly outcome: RunOutcome; readonly events: EventBatch },
): Promise<void> {
  const { outcome, events } = await cancelledInstead(deps.db, run, executed, execution.fence().now);
  return endJob(deps, execution, run, outcome, events);
}

const CANCELLED_EXECUTING = "The run was cancelled while it was executed.";

/** What the job says about its end. */
function errorOf(outcome: RunOutcome): string | null {
  if (outcome.status === "ERROR") return outcome.error;
  return outcome.status === "CANCELLED" ? (outcome.reason ?? CANCELLED_EXECUTING) : null;
}

/** Wakes the schedule and the chat that wait for the run's end. */
async function wakeAnswered(deps: JobDeps, job: StoredJob): Promise<void> {
  await wakeSchedule(deps, job);
  const { id, attempt, chat_message } = job;
  if (chat_message === undefined) return;
  const wakeup = { key: chat_message, group: chat_message, once: `${id}#${attempt}#${job.hops ?? 0}` };
  await deps.chats
    ?.send(wakeup)
    .catch((error) => deps.log.warn("could not enqueue chat wake-up", { job_id: id, error: String(error) }));
}

/** Best effort: the schedule's record says that the run has ended, and the sweeper finds it. */
async function wakeSchedule(deps: JobDeps, { id, schedule_run }: StoredJob): Promise<void> {
  if (!schedule_run) return;
  await deps.schedules
    ?.wake(schedule_run)
    .catch((error) =>
      deps.log.warn("could not enqueue schedule wake-up", { job_id: id, error: String(error) }),
    );
}

const moveOf = {
  COMPLETED: "complete",
  PAUSED: "pause",
  CANCELLED: "stop",
  ERROR: "fail",
} as const satisfies Record<RunOutcome["status"], JobEnding["move"]>;

function jobEnding(
  deps: JobDeps,
  { job, fence }: Execution,
  move: JobEnding["move"],
  change: JobEnding["change"],
): JobEnding {
  return { row: job, move, fence: fence(), change, retentionSeconds: deps.settings.JOB_RETENTION_SECONDS };
}

/**
 * Puts the job back into the queue for another attempt. The job has the error at once; the run's stream gets no
 * terminal event.
 */
async function retryLater(
  deps: JobDeps,
  execution: Execution,
  run: StoredRun,
  failure: Failure,
  events: EventBatch,
  afterSeconds: number,
): Promise<void> {
  const { job, fence } = execution;
  const written = await commitEnding(deps.db, {
    at: runOf(job),
    attempt: job.attempt,
    // It is not over.
    publishedRun: undefined,
    output: { ...run.output, status: "PENDING" },
    events: { ...events, events: events.events.filter((event) => !isFailureOf(run.run_id, event)) },
    session: tokenProgress(run, failure, fence().now),
    job: jobEnding(deps, execution, "retry", {
      error: failure.error,
      available_at: fence().now + afterSeconds,
    }),
  });
  if (!written) return cancelInstead(deps, execution, run, { outcome: failure, events });
  await deps.queue.send({ job_id: job.id, user_id: job.user_id, delay_seconds: afterSeconds });
  await leavePlace(deps, job);
}

/**
 * Ends a claimed job whose run is not to be executed: it has ended already, or was removed with its session. A record
 * that a later attempt has written is left to that attempt.
 */
export async function recordJobOutcome(
  deps: WorkerDeps,
  execution: Execution,
  seen: StoredRun | undefined,
): Promise<void> {
  const job = endingFor(deps, execution, seen);
  if (!job) return;
  const ended = await commitEnding(deps.db, {
    at: runOf(execution.job),
    attempt: execution.job.attempt,
    // The process that ended the run has published it.
    publishedRun: undefined,
    output: undefined,
    events: undefined,
    session: undefined,
    job,
  });
  if (ended) await leavePlace(deps, execution.job);
}

function endingFor(
  deps: WorkerDeps,
  execution: Execution,
  seen: StoredRun | undefined,
): JobEnding | undefined {
  if (!seen) return jobEnding(deps, execution, "fail", { error: "the record of this run is gone" });
  if (seen.status === "COMPLETED") return jobEnding(deps, execution, "complete", { error: null });
  if (seen.status === "CANCELLED") return jobEnding(deps, execution, "stop", { error: CANCELLED_RECORD });
  return undefined;
}
