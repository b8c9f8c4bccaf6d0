import type { StoredRun } from "../runs/run-item.ts";
import type { StoredJob } from "./job-item.ts";

type Queued = {
  readonly run: StoredRun;
  /** Whether its client follows its events. */
  readonly stream: boolean;
  /** Attempts made so far, and how many there may be in all. */
  readonly attempt: number;
  readonly budget: number;
  /** Epoch seconds; when it may be claimed. */
  readonly available_at: number;
};

/** The job of a run that is put into the queue. */
export function jobOfRun({
  run,
  stream,
  attempt,
  budget,
  available_at,
}: Queued): StoredJob & { status: "queued" } {
  const { created_at, input, user_id } = run.output;
  return {
    id: run.run_id,
    component_type: run.component_type,
    component_id: run.component_id,
    session_id: run.session_id,
    job_type: "run",
    user_id: user_id ?? null,
    owner: run.owner,
    payload: {
      input: input.input_content,
      kwargs: run.kwargs,
      ...(run.component_version !== undefined && { version: run.component_version }),
      ...(stream && { stream: true as const }),
    },
    status: "queued",
    attempt,
    max_attempts: budget,
    attempt_ceiling: budget,
    idempotency_key: null,
    available_at,
    locked_by: null,
    locked_at: null,
    error: null,
    created_at,
    updated_at: null,
    completed_at: null,
  };
}
