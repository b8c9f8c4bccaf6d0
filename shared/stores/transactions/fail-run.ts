import type { Db } from "../db.ts";
import { runOf, type StoredJob } from "../jobs/job-item.ts";
import type { Fence } from "../jobs/move-job.ts";
import { errorEvent, eventSource } from "../runs/event-base.ts";
import { terminalEvents } from "../runs/events.ts";
import { getRunHead } from "../runs/get-run.ts";
import { commitEnding } from "./commit-ending.ts";
import type { Ended } from "./ending.ts";

/** How long the job is kept, and the attempts of a run that answers what came too late for this one. */
type FailureSettings = { readonly JOB_RETENTION_SECONDS: number; readonly MAX_ATTEMPTS: number };

/**
 * Fails a run from outside, because no worker executes it any more: the job failed, its record ERROR with the same
 * text, and a terminal event for clients that follow the stream.
 *
 * @returns undefined when the job has moved, or its record has ended: nothing was written
 */
export async function failRun(
  db: Db,
  job: StoredJob,
  move: "abandon" | "failDeadLetter",
  fence: Fence,
  error: string,
  { JOB_RETENTION_SECONDS, MAX_ATTEMPTS }: FailureSettings,
): Promise<Ended | undefined> {
  const run = await getRunHead(db, runOf(job), fence.now);
  const event = run && errorEvent(eventSource(run), fence.now, error);
  const output = run && { ...run.output, status: "ERROR" as const, content: error };
  return commitEnding(db, {
    at: runOf(job),
    attempt: job.attempt,
    publishedRun: run,
    output,
    keeps: run?.output_large,
    events: event && (await terminalEvents(db, run, job.attempt, event)),
    session: undefined,
    // What its last checkpoint has is in the run; no execution took the rest.
    inbox:
      run && output && run.component_type !== "workflow"
        ? { run, output, failed: true, settled: 0, budget: MAX_ATTEMPTS, now: fence.now }
        : undefined,
    job: { row: job, move, fence, change: { error }, retentionSeconds: JOB_RETENTION_SECONDS },
  });
}
