import type { RunnableKind } from "../../../shared/engine/define/runnable.ts";
import { wakeWorker } from "../../../shared/queue/wake-worker.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import type { JobPayload } from "../../../shared/schemas/queue/queue-job.ts";
import type { StoredJob } from "../../../shared/stores/jobs/job-item.ts";
import { packCheckpoint } from "../../../shared/stores/runs/checkpoints/checkpoint.ts";
import type { StoredRun } from "../../../shared/stores/runs/run-item.ts";
import { continueRun } from "../../../shared/stores/transactions/continue-run.ts";
import { carryCancellation } from "../foreground/give-job.ts";
import { jobOfRun } from "../foreground/job-of-run.ts";
import type { RunsDeps } from "../runs-deps.ts";
import type { Answered } from "./answer-all.ts";
import type { ContinueForm } from "./read-continue-form.ts";

type ShownAnswers = NonNullable<JobPayload["continue"]>;

export type PausedRun = {
  readonly run: StoredRun;
  /** Its job; undefined for a run that paused in the foreground and has none. */
  readonly job: StoredJob | undefined;
  readonly answered: Answered;
  /** What the job's payload shows of the continuation. */
  readonly asked: ShownAnswers;
  /** Index of its next event. */
  readonly next_index: number;
};

/**
 * Queues a paused run with its answers; a worker resumes it from them, as one more attempt. A run without a job gets one
 * in the same write.
 *
 *   run PAUSED, job paused or none ─▶ (one transaction: run PENDING, job queued, approvals resolved) ─▶ wake-up
 *
 * @returns false when the run, its job or an approval has changed since it was read: nothing was written
 */
export async function queuePausedRun(
  deps: RunsDeps,
  { run, job, answered, asked, next_index }: PausedRun,
): Promise<boolean> {
  const now = epochSeconds(deps.clock);
  const { state, output, resolutions, recorded } = answered;
  const row = job ?? jobOfPaused(run, now);
  const { written } = await continueRun(deps.db, {
    run,
    output: { ...output, status: "PENDING" },
    attempt: run.attempt,
    checkpoint: packCheckpoint({ state, continues: true, next_index }),
    job: { row, asked, isNew: job === undefined },
    resolutions,
    recorded,
    now,
  });
  if (!written) return false;
  deps.depth.countAccepted();
  // Side by side: whether a cancellation can be read or not, the worker is woken.
  await Promise.all([wakeWorker(deps, row), job ? undefined : carryCancellation(deps, run.run_id, now)]);
  return true;
}

/** It has as many attempts as a job that is continued: one. */
const jobOfPaused = (run: StoredRun, now: number): StoredJob =>
  jobOfRun({ run, stream: false, attempt: run.attempt, budget: run.attempt + 1, available_at: now });

/** What the job's payload shows of answers. @source contract, runs-and-queue 10.2, `continue` */
export function shownAnswersOf(
  { tools, requirements, step_requirements, input }: ContinueForm,
  kind: RunnableKind,
): Omit<ShownAnswers, "kwargs"> {
  if (kind === "workflow") return { step_requirements: [...step_requirements] };
  const common = { input: input ?? null, continue_from: "end" };
  return kind === "team"
    ? { requirements: [...requirements], ...common }
    : { updated_tools: [...tools], ...common };
}
