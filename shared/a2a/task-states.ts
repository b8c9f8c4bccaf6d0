import { TaskState } from "@a2a-js/sdk";
import type { RunStatus } from "../schemas/runs/run.ts";

/** The task state of a run's status. @source docs/interface/a2a.md 3.2 */
export const taskStateOf: Readonly<Record<RunStatus, TaskState>> = {
  PENDING: TaskState.TASK_STATE_SUBMITTED,
  RUNNING: TaskState.TASK_STATE_WORKING,
  COMPLETED: TaskState.TASK_STATE_COMPLETED,
  REGENERATED: TaskState.TASK_STATE_COMPLETED,
  ERROR: TaskState.TASK_STATE_FAILED,
  CANCELLED: TaskState.TASK_STATE_CANCELED,
  PAUSED: TaskState.TASK_STATE_INPUT_REQUIRED,
};

/** The same in the envelope dialect, which has no state for a run that waits for a person. */
export const envelopeStateOf: Readonly<Record<RunStatus, string>> = {
  PENDING: "submitted",
  RUNNING: "working",
  COMPLETED: "completed",
  REGENERATED: "completed",
  ERROR: "failed",
  CANCELLED: "canceled",
  PAUSED: "working",
};

const terminal: ReadonlySet<RunStatus> = new Set(["COMPLETED", "REGENERATED", "ERROR", "CANCELLED"]);
export const hasEnded = (status: RunStatus): boolean => terminal.has(status);

/** The run statuses of a task state; none for a state that no run has. */
export const statusesOf = (state: TaskState): RunStatus[] =>
  (Object.keys(taskStateOf) as RunStatus[]).filter((status) => taskStateOf[status] === state); // its own keys

export const hasEndedState = (state: TaskState): boolean =>
  [...terminal].some((status) => taskStateOf[status] === state);
