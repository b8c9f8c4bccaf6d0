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
import { handOverRun } from "../../../shared/stores/transactions/hand-over-run.ts";
import type { RunsDeps } from "../runs-deps.ts";
import { jobOfRun } from "./job-of-run.ts";

/** The stop that a run is handed over by; nothing more is written for it here. */
class TimeIsUp extends RunStopped {
  constructor() {
    super("lost", "the run is handed over to the queue");
  }
}

/** Undefined for a run that was cut off because its time is up. */
export function unlessTimeIsUp(error: unknown): undefined {
  if (!(error instanceof TimeIsUp)) throw error;
}

/**
 * Watches the time that a front waits for a run.
 *
 *   begin ───────────── restMs ──────────── stopMs ──── the front gives up
 *         goes on         │ put down after    │ cut off: the step is taken again
 *                         │ the next step     │ by whoever goes on
 *
 * @param times  undefined where the run may take as long as the function lives
 */
export function watchTime(times: SuspendTimes | undefined, stop: AbortController) {
  if (!times) return { isOver: () => false, end: () => {} };
  const restsAt = performance.now() + times.restMs;
  const timer = setTimeout(() => stop.abort(new TimeIsUp()), times.stopMs);
  return { isOver: () => performance.now() >= restsAt, end: () => clearTimeout(timer) };
}

/**
 * Gives the run to the queue, where a worker takes it up as a further attempt: after the step it was put down at, or
 * after the last one that was kept where it was cut off.
 *
 * @param suspended  absent where it was cut off
 * @returns false when it is over, or is wanted to stop
 */
export async function handOver(
  deps: RunsDeps,
  run: StoredRun,
  stream: boolean,
  suspended?: ExecutedRun<Suspended>,
): Promise<boolean> {
  const job = jobOf(run, stream, deps);
  const handed = await handOverRun(deps.db, {
    run,
    job,
    now: epochSeconds(deps.clock),
    suspended: suspended && (await kept(deps, run, suspended)),
  });
  if (!handed) return false;
  deps.depth.countAccepted();
  await wakeWorker(deps, job);
  return true;
}

async function kept(deps: RunsDeps, run: StoredRun, { outcome, events, traced }: ExecutedRun<Suspended>) {
  // Before, not beside: whoever takes over reads which spans there are.
  await traced;
  const next_index = await nextIndexAfter(deps.db, run, events);
  return { checkpoint: packCheckpoint({ state: outcome.state, next_index }), events };
}

/**
 * What was executed here was one attempt.
 *
 * @decided  It is given as many attempts more as any job has: that it took long is no failure of the run
 */
function jobOf(run: StoredRun, stream: boolean, { clock, settings }: RunsDeps): StoredJob {
  const { attempt } = run;
  const budget = attempt + settings.MAX_ATTEMPTS;
  return jobOfRun({ run, stream, attempt, budget, available_at: epochSeconds(clock) });
}
