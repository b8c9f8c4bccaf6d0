import type { RunEvent } from "../../schemas/run-event.ts";
import type { Db } from "../db.ts";
import type { Mover } from "../jobs/guard.ts";
import type { StoredJob } from "../jobs/job-item.ts";
import { runOf } from "../run-of-job.ts";
import { nextEventIndex } from "../runs/events.ts";
import { getRun } from "../runs/get-run.ts";
import type { StoredRun } from "../runs/run-item.ts";
import { commitEnding } from "./commit-ending.ts";

/**
 * Fails a run from outside, because nobody executes it any more: the job failed, its record ERROR with the same
 * text, and a last event for whoever follows the stream.
 *
 * @returns false when the job moved on in the meantime, or its record has ended: nothing was written
 */
export async function failRun(
  db: Db,
  job: StoredJob,
  move: "abandon" | "giveUp",
  mover: Mover,
  error: string,
  retentionSeconds: number,
): Promise<boolean> {
  const run = await getRun(db, runOf(job), mover.now);
  const event_index = await nextEventIndex(db, run ?? runOf(job));
  return commitEnding(db, {
    at: runOf(job),
    attempt: job.attempt,
    output: run && { ...run.output, status: "ERROR", content: error },
    events: run && {
      run_id: job.id,
      attempt: job.attempt,
      startsOver: false,
      events: [{ ...errorEvent(run, error, mover.now), event_index }],
    },
    session: undefined,
    job: { row: job, move, mover, change: { error }, retentionSeconds },
  });
}

function errorEvent(run: StoredRun, error: string, now: number): RunEvent {
  return {
    event: "RunError",
    created_at: now,
    agent_id: run.output.agent_id ?? run.component_id,
    agent_name: run.output.agent_name ?? run.component_id,
    run_id: run.run_id,
    session_id: run.session_id,
    nested_depth: 0,
    content: error,
  };
}
