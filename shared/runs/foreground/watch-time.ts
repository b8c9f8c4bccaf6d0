import { backOff } from "../../data/index.ts";
import { RunStopped, stepTooLong } from "../../engine/run/next-step.ts";
import type { SuspendTimes } from "../../http/wait-limits.ts";
import { after, epochSeconds } from "../../runtime/clock.ts";
import type { StoredJob } from "../../stores/jobs/job-item.ts";
import { type LockWatch, watchLock } from "../execute/watch-lock.ts";
import type { Execution } from "../execute/worker-deps.ts";
import type { RunsDeps } from "../runs-deps.ts";
import { giveJob, type Handing, jobOfHanded } from "./move-to-queue.ts";

/** Stops a run because it moves to the queue; this process writes nothing more for it. */
class TimeIsUp extends RunStopped {
  constructor() {
    super("lost", "the run moves to the queue");
  }
}

/** Undefined for a run that was cut off because its time is up. */
export function unlessTimeIsUp(error: unknown): undefined {
  if (!(error instanceof TimeIsUp)) throw error;
}

export type TimeWatch = {
  /**
   * Whether the run is to be suspended after its present step. One that has only to end does so here, where the function
   * may work on.
   */
  readonly shouldYield: (isOnlyToEnd?: boolean) => boolean;
  /** Called before every step: stops the run when the lock of its job may be another's by now. */
  readonly loseIfStale: () => void;
  /**
   * The execution under the run's job, if it got one here. No job is made for it after this was called. `unknown` when the
   * store did not say whether it got one: then its end must not be written as if it had none.
   */
  readonly underJob: () => Promise<Execution | "unknown" | undefined>;
  readonly end: () => Promise<void>;
};

export type Timed = {
  readonly deps: RunsDeps;
  readonly handing: Handing;
  /** How long the client is kept waiting; undefined where that is as long as the function lives. */
  readonly times: SuspendTimes | undefined;
  /** How long the function may work on after its answer; undefined where it ends with it. */
  readonly functionTimes: SuspendTimes | undefined;
  /** Stops the execution. */
  readonly stop: AbortController;
  /** Called once the run has a job under which it is executed on here. */
  readonly gotJob: () => void;
};

const noLimit: TimeWatch = {
  shouldYield: () => false,
  loseIfStale: () => {},
  underJob: async () => undefined,
  end: async () => {},
};

/**
 * Watches how long a client is kept waiting for a run. A function that may work on after its answer gives the run a job
 * whose lock it holds, so that the step under way is not lost:
 *
 *   start ────────── yieldAfterMs ────── step ends ───────▶ ended, or handed off to the queue
 *     executes           │ job, locked here; the client is answered
 *                        │ ♥ lock ⋯⋯⋯⋯⋯⋯⋯⋯⋯⋯⋯⋯⋯⋯⋯⋯│
 *
 * Otherwise the function ends with its answer, and the step that lasts is taken again by a worker:
 *
 *   start ────────── yieldAfterMs ────── abortAfterMs ──── the API gives up
 *     executes           │ handed off      │ cut off, queued
 *                        │ after the step  │
 */
export function watchTime(timed: Timed): TimeWatch {
  const { deps, times, functionTimes, stop, gotJob } = timed;
  if (!times) return noLimit;
  const startedMs = deps.clock.now();
  let isOver = times.yieldAfterMs <= 0;
  let lock: LockWatch | undefined;
  let clearFunctionEnd = () => {};
  let taking: ReturnType<TimeWatch["underJob"]> = Promise.resolve(undefined);
  let asked: Promise<void> | undefined;
  const take = async (functionTimes: SuspendTimes): Promise<Execution | undefined> => {
    const execution = await takeJob(timed);
    if (!execution) return undefined;
    lock = watchLock(deps, execution, stop);
    // Beside the run, which does not wait for it; but this function must not end before it.
    asked = deps.askForLockCheck?.(execution.job.locked_at ?? epochSeconds(deps.clock));
    const leftMs = functionTimes.abortAfterMs - (deps.clock.now() - startedMs);
    clearFunctionEnd = after(deps.clock, Math.max(0, leftMs), () => stop.abort(stepTooLong()));
    gotJob();
    return execution;
  };
  const clearDue = after(deps.clock, times.yieldAfterMs, () => {
    isOver = true;
    if (!functionTimes || stop.signal.aborted) return;
    taking = take(functionTimes).catch((error) => {
      const { run_id } = timed.handing.run;
      deps.log.warn("could not determine whether a run has a job", { run_id, error: String(error) });
      return "unknown" as const;
    });
  });
  const cutOff = async () => {
    clearDue();
    const execution = await taking;
    if (!execution || execution === "unknown") stop.abort(new TimeIsUp());
  };
  const clearCutOff = after(deps.clock, times.abortAfterMs, () => void cutOff());
  return {
    shouldYield: (isOnlyToEnd = false) => isOver && !(isOnlyToEnd && functionTimes),
    loseIfStale: () => lock?.loseIfStale(),
    underJob: () => {
      clearDue();
      return taking;
    },
    end: async () => {
      for (const clear of [clearDue, clearCutOff, clearFunctionEnd]) clear();
      await Promise.all([lock?.release(), asked]);
    },
  };
}

/** Undefined when the run has ended, or its cancellation is requested. */
async function takeJob({ deps, handing }: Timed): Promise<Execution | undefined> {
  const worker = deps.newWorkerId();
  const job = jobOfHanded(deps, handing, worker);
  if (!(await isMoved(deps, handing, job))) return undefined;
  return { job, worker, fence: () => ({ now: epochSeconds(deps.clock), worker, attempt: job.attempt }) };
}

const TAKE_TRIES = 4;

/**
 * A write whose answer was lost may have made the job: the next try finds out. Where that job was taken from this process by
 * then, nothing more may be written here.
 */
async function isMoved(deps: RunsDeps, { run }: Handing, job: StoredJob): Promise<boolean> {
  for (let tryNumber = 1; ; tryNumber += 1) {
    try {
      const moved = await giveJob(deps, { run, job });
      if (moved === "has_job") throw new Error("another process has the job of this run");
      return moved === "moved";
    } catch (error) {
      if (tryNumber === TAKE_TRIES) throw error;
      await backOff(tryNumber);
    }
  }
}
