import type { SeenTask } from "../../shared/a2a/task-of.ts";
import { hasEnded } from "../../shared/a2a/task-states.ts";
import { cancelRun } from "../../shared/engine/lifecycle/cancel-run.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { A2aDeps } from "./a2a-deps.ts";
import { seeAgain } from "./find-task.ts";

/** How long a cancellation may take to show; what takes longer is answered as it stands. */
const WAIT_MS = 2_000;
const LOOK_MS = 50;

/** Wishes a task to stop. What waits is cancelled at once, what is executed at its next checkpoint. */
export const stopTask = ({ db, clock, settings }: A2aDeps, { run }: SeenTask): Promise<void> =>
  cancelRun(db, run, epochSeconds(clock), settings.JOB_RETENTION_SECONDS);

/** The same, and waits a moment for it to show. */
export async function cancelTask(deps: A2aDeps, seen: SeenTask, signal: AbortSignal): Promise<SeenTask> {
  await stopTask(deps, seen);
  const until = deps.clock.now() + WAIT_MS;
  for (;;) {
    const now = (await seeAgain(deps, seen.run)) ?? seen;
    if (hasEnded(now.run.status) || signal.aborted || deps.clock.now() >= until) return now;
    await deps.clock.sleep(LOOK_MS, signal).catch(() => undefined);
  }
}
