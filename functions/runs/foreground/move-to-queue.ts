import type { Suspended } from "../../../shared/engine/lifecycle/execute-runnable.ts";
import type { ExecutedRun } from "../../../shared/engine/lifecycle/executed-run.ts";
import { RunStopped } from "../../../shared/engine/run/run-stopped.ts";
import type { SuspendTimes } from "../../../shared/http/wait-limits.ts";
import { wakeWorker } from "../../../shared/queue/wake-worker.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import type { StoredJob } from "../../../shared/stores/jobs/job-item.ts";
import { packCheckpoint } from "../../../shared/stores/runs/checkpoint.ts";
import { nextIndexAfter } from "../../../shared/stores/runs/events.ts";
import type { StoredRun } from "../../../shared/stores/runs/run-item.ts";
import { moveRunToQueue } from "../../../shared/stores/transactions/move-run-to-queue.ts";
import type { RunsDeps } from "../runs-deps.ts";
import { jobOfRun } from "./job-of-run.ts";

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

/**
 * Watches the time that the API or CloudFront waits for a run.
 *
 *   start ───────────── yieldAfterMs ──────────── abortAfterMs ──── the API gives up
 *         executes        │ suspended after   │ cut off: the worker that resumes
 *                         │ the next step     │ the run executes the step again
 *
 * @param times  undefined where the run may take as long as the function lives
 */
export function watchTime(times: SuspendTimes | undefined, stop: AbortController) {
  if (!times) return { isOver: () => false, end: () => {} };
  const yieldAt = performance.now() + times.yieldAfterMs;
  const timer = setTimeout(() => stop.abort(new TimeIsUp()), times.abortAfterMs);
  return { isOver: () => performance.now() >= yieldAt, end: () => clearTimeout(timer) };
}

/**
 * Hands the run over to the queue, where a worker resumes it as a further attempt: after the step at which it was
 * suspended, or after its last checkpoint where it was cut off.
 *
 * @param suspended  absent where it was cut off
 * @returns false when the run has ended, or its cancellation is requested
 */
export async function moveToQueue(
  deps: RunsDeps,
  run: StoredRun,
  stream: boolean,
  suspended?: ExecutedRun<Suspended>,
): Promise<boolean> {
  const job = jobOf(run, stream, deps);
  const handedOver = await moveRunToQueue(deps.db, {
    run,
    job,
    now: epochSeconds(deps.clock),
    suspended: suspended && (await checkpointOf(deps, run, suspended)),
  });
  if (!handedOver) return false;
  deps.depth.countAccepted();
  await wakeWorker(deps, job);
  return true;
}

async function checkpointOf(
  deps: RunsDeps,
  run: StoredRun,
  { outcome, events, traced }: ExecutedRun<Suspended>,
) {
  // Awaited first: the next worker reads which spans there are.
  await traced;
  const next_index = await nextIndexAfter(deps.db, run, events);
  return { checkpoint: packCheckpoint({ state: outcome.state, next_index }), events };
}

/**
 * The execution here was one attempt.
 *
 * @decided  The job gets as many further attempts as any other: that the run took long is no failure of it
 */
function jobOf(run: StoredRun, stream: boolean, { clock, settings }: RunsDeps): StoredJob {
  const { attempt } = run;
  const budget = attempt + settings.MAX_ATTEMPTS;
  return jobOfRun({ run, stream, attempt, budget, available_at: epochSeconds(clock) });
}
