import type { JobStatus } from "../../schemas/queue/queue-job.ts";
import type { RunStatus } from "../../schemas/runs/run.ts";

/** The status of a run by that of its job, on run routes. @source contract, runs-and-queue 10.2 */
export const runStatusOf = {
  queued: "PENDING",
  running: "RUNNING",
  paused: "PAUSED",
  completed: "COMPLETED",
  failed: "ERROR",
  cancelled: "CANCELLED",
} as const satisfies Record<JobStatus, RunStatus>;
