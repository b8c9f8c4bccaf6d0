import type { TaskView } from "../../shared/a2a/task-of.ts";
import { hasEnded } from "../../shared/a2a/task-states.ts";
import { cancelRun } from "../../shared/engine/lifecycle/cancel-run.ts";
import { wakeSession } from "../../shared/engine/lifecycle/wake-waiting.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { A2aDeps } from "./a2a-deps.ts";
import { rereadTask } from "./find-task.ts";

/** How long a cancellation may take to show; after that the task is answered as it is. */
const WAIT_MS = 2_000;
const POLL_MS = 50;

/**
 * Requests the cancellation of a task. One that waits is cancelled at once, one that is executed at its next
 * checkpoint.
 */
export async function stopTask(deps: A2aDeps, { run }: TaskView): Promise<void> {
  const { db, clock, settings } = deps;
  await wakeSession(deps, await cancelRun(db, run, epochSeconds(clock), settings.JOB_RETENTION_SECONDS));
}

/** The same, and waits a moment for it to show. */
export async function cancelTask(deps: A2aDeps, seen: TaskView, signal: AbortSignal): Promise<TaskView> {
  await stopTask(deps, seen);
  const until = deps.clock.now() + WAIT_MS;
  for (;;) {
    const current = (await rereadTask(deps, seen.run)) ?? seen;
    if (hasEnded(current.run.status) || signal.aborted || deps.clock.now() >= until) return current;
    await deps.clock.sleep(POLL_MS, signal).catch(() => undefined);
  }
}
