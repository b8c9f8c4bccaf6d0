import { nextIndexAfter } from "../../stores/runs/events.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import type { Runnable } from "../define/runnable.ts";
import { runCancelled } from "../run/next-step.ts";
import type { ExecutedRun } from "./end-run.ts";
import { executeRun, type RunDeps, type RunExecution } from "./execute-run.ts";
import type { Suspended } from "./execute-runnable.ts";

/**
 * Ends a suspended run that may not continue in another process, because its cancellation is requested. It is executed
 * once more from its state with the stop set, so the engine ends it with what it did and with its terminal events.
 *
 * @param how.stop  the stop of the execution that was suspended; a reason that it has already, as a lost lock, stays
 * @returns the end, with the events of both executions that are not written yet
 * @throws RunStopped with kind `lost` when nothing more may be written
 */
export async function endSuspendedRun(
  deps: RunDeps,
  runnable: Runnable,
  run: StoredRun,
  suspended: Pick<ExecutedRun<Suspended>, "outcome" | "events">,
  { stop, ...how }: Pick<RunExecution, "attempt" | "onEvent"> & { readonly stop: AbortController },
): Promise<ExecutedRun> {
  stop.abort(runCancelled());
  const { events } = suspended;
  const { outcome, ...stopped } = await executeRun(deps, runnable, run, {
    ...how,
    nextIndex: await nextIndexAfter(deps.db, run, events),
    signal: stop.signal,
    from: suspended.outcome.state,
    pending: suspended.outcome.pending_state,
  });
  if (outcome.status === "YIELDED") throw new Error("a run that was stopped has yielded again");
  return {
    outcome,
    traced: stopped.traced,
    sent: stopped.sent,
    events: { ...events, events: [...events.events, ...stopped.events.events] },
  };
}
