import type { JobStatus } from "../../schemas/queue/queue-job.ts";
import type { RunStatus } from "../../schemas/runs/run.ts";

/** The status of a run by that of its job, on run routes. */
export const runStatusOf = {
  queued: "PENDING",
  running: "RUNNING",
  paused: "PAUSED",
  completed: "COMPLETED",
  failed: "ERROR",
  cancelled: "CANCELLED",
} as const satisfies Record<JobStatus, RunStatus>;
