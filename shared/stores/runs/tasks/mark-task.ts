import { exists } from "../../../data/guard.ts";
import { type Update, updateItem } from "../../../data/writes.ts";
import type { RunStatus } from "../../../schemas/runs/run.ts";
import { changedKey, taskKey } from "./task-item.ts";

/**
 * The update that moves a task in its lists when its run changes. Refused when the task was removed with its session.
 *
 * @param now  epoch seconds
 */
export const markTask = (runId: string, status: RunStatus, now: number): Update =>
  updateItem("runs", taskKey(runId), {
    set: { status, changed_at: now, task_changed: changedKey(now, runId) },
    guard: exists,
  });
