import type { StoredRun } from "../stores/runs/run-item.ts";
import type { RunOutcome } from "./run-request.ts";

/** The outcome of a run that a recorded cancellation stopped before it could go on. */
export function cancelledOutcome(run: StoredRun): RunOutcome {
  const content = "The run was cancelled before it could go on.";
  return { status: "CANCELLED", output: { ...run.output, status: "CANCELLED", content } };
}
