import type { Runnable } from "../../engine/define/runnable.ts";
import type { ExecutedRun } from "../../engine/lifecycle/end-run.ts";
import { endSuspendedRun } from "../../engine/lifecycle/end-suspended-run.ts";
import { executeRun } from "../../engine/lifecycle/execute-run.ts";
import { checkpointOf, type Suspended } from "../../engine/lifecycle/execute-runnable.ts";
import { resumePoint } from "../../engine/lifecycle/resume-point.ts";
import { executionTimeout, RunStopped, stepTooLong } from "../../engine/run/next-step.ts";
import type { RunOutcome } from "../../engine/run/run-outcome.ts";
import { epochSeconds } from "../../runtime/clock.ts";
import { type EventBatch, nextIndexAfter } from "../../stores/runs/events.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import { endJob } from "./end-job.ts";
import { handOff, MAX_HAND_OFFS, postpone } from "./hand-off.ts";
import { watchLock } from "./watch-lock.ts";
import type { Execution, JobDeps, WorkerDeps } from "./worker-deps.ts";

/** Time reserved at the end of the function's life to record how the run ended. */
const ENDING_MS = 10_000;
/** Time reserved for the step that is under way when a slice is over. */
const LAST_STEP_MS = 60_000;

/**
 * Executes one claimed attempt, or as much of it as fits into this function's life, and records how that ended.
 *
 * @param remainingMs  how long this process will live
 */
export async function executeJobSlice(
  deps: WorkerDeps,
  execution: Execution,
  runnable: Runnable,
  run: StoredRun,
  remainingMs: number,
): Promise<void> {
  const stop = new AbortController();
  const lock = watchLock(deps, execution, stop);
  const timeout = stopInTime(deps, execution, remainingMs, stop);
  const isOver = sliceEnd(deps, remainingMs);
  let untilMs: number | undefined;
  try {
    const executed = await executeRun(deps, runnable, run, {
      attempt: execution.job.attempt,
      ...(isFirst(execution)
        ? { nextIndex: 0 }
        : await resumePoint(deps.db, run, Boolean(execution.job.hops))),
      signal: stop.signal,
      beforeStep: lock.loseIfStale,
      shouldYield: () => untilMs !== undefined || isOver(),
      postpone: (until) => {
        untilMs = Math.min(until, untilMs ?? until);
      },
    });
    await endSlice({ deps, execution, runnable, run, stop, untilMs }, executed);
  } catch (error) {
    if (!(error instanceof RunStopped && error.kind === "lost")) throw error;
    deps.log.warn("execution lost its lock; nothing more was written", { job_id: run.run_id });
  } finally {
    clearTimeout(timeout);
    await lock.release();
  }
}

/** One execution of a job in this process. */
export type Slice = {
  readonly deps: JobDeps;
  readonly execution: Execution;
  readonly runnable: Runnable;
  readonly run: StoredRun;
  readonly stop: AbortController;
  /** Set where the run was postponed: when it may go on; epoch milliseconds. */
  readonly untilMs?: number | undefined;
};

/**
 * Whether no event can be recorded yet. A run that was cancelled before its first attempt and then requeued has one.
 */
const isFirst = ({ job }: Execution): boolean =>
  job.attempt === 1 && !job.hops && job.attempt_ceiling === job.max_attempts;

function sliceEnd({ clock, settings }: WorkerDeps, remainingMs: number): () => boolean {
  const endsAt = clock.now() + Math.min(settings.SLICE_SECONDS * 1000, remainingMs - LAST_STEP_MS);
  return () => clock.now() >= endsAt;
}

/** The execution timeout counts from the claim, over all slices of the attempt. */
function attemptLeftMs({ clock, settings }: WorkerDeps, { job }: Execution): number {
  const startedAt = job.attempt_started_at ?? epochSeconds(clock);
  return (startedAt + settings.EXECUTION_TIMEOUT_SECONDS) * 1000 - clock.now();
}

/** Stops the run when the attempt has used up its time, or when this function has to end. */
function stopInTime(
  deps: WorkerDeps,
  execution: Execution,
  remainingMs: number,
  stop: AbortController,
): NodeJS.Timeout {
  const attemptMs = attemptLeftMs(deps, execution);
  const functionMs = remainingMs - ENDING_MS;
  const reason =
    attemptMs <= functionMs ? executionTimeout(deps.settings.EXECUTION_TIMEOUT_SECONDS) : stepTooLong();
  return setTimeout(() => stop.abort(reason), Math.max(0, Math.min(attemptMs, functionMs)));
}

/** Records how a slice ended, or hands the run off where it has not ended. */
export async function endSlice(
  slice: Slice,
  { outcome, events, traced, sent }: ExecutedRun<RunOutcome | Suspended>,
): Promise<void> {
  const { deps, execution, run } = slice;
  const end = async (ended: RunOutcome) => {
    await Promise.all([endJob(deps, execution, run, ended, events), traced, sent]);
  };
  if (outcome.status !== "YIELDED") return end(outcome);
  if ((execution.job.hops ?? 0) >= MAX_HAND_OFFS) return end(handedOffTooOften(run));
  const next_index = await nextIndexAfter(deps.db, run, events);
  // Awaited first: the next worker reads which spans there are.
  await traced;
  const checkpoint = { ...checkpointOf(outcome), next_index };
  const isPassedOn = await passOn(slice, checkpoint, events);
  await sent;
  if (isPassedOn) return;
  // Its cancellation is requested; or the lock was lost, and then its end is refused like the hand-off.
  const how = { attempt: execution.job.attempt, stop: slice.stop };
  await endSlice(slice, await endSuspendedRun(deps, slice.runnable, run, { outcome, events }, how));
}

/** Hands a run off to the next worker, at once or when it may go on. */
const passOn = (
  { deps, execution, untilMs }: Slice,
  checkpoint: Parameters<typeof handOff>[2],
  events: EventBatch,
): Promise<boolean> =>
  untilMs === undefined
    ? handOff(deps, execution, checkpoint, events)
    : postpone(deps, execution, checkpoint, events, Math.ceil(untilMs / 1000));

function handedOffTooOften(run: StoredRun): RunOutcome {
  const error = `the run was handed on ${MAX_HAND_OFFS} times without coming to an end`;
  return {
    status: "ERROR",
    cause: "internal",
    error,
    output: { ...run.output, status: "ERROR", content: error },
  };
}
