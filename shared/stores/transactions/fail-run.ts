import type { Db } from "../db.ts";
import { runOf, type StoredJob } from "../jobs/job-item.ts";
import type { Fence } from "../jobs/move-job.ts";
import { errorEvent, eventSource } from "../runs/event-base.ts";
import { terminalEvents } from "../runs/events.ts";
import { getRunHead } from "../runs/get-run.ts";
import { commitEnding } from "./commit-ending.ts";
import type { Ended } from "./ending.ts";

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
  retentionSeconds: number,
): Promise<Ended | undefined> {
  const run = await getRunHead(db, runOf(job), fence.now);
  const event = run && errorEvent(eventSource(run), fence.now, error);
  return commitEnding(db, {
    at: runOf(job),
    attempt: job.attempt,
    publishedRun: run,
    output: run && { ...run.output, status: "ERROR", content: error },
    keeps: run?.output_large,
    events: event && (await terminalEvents(db, run, job.attempt, event)),
    session: undefined,
    job: { row: job, move, fence, change: { error }, retentionSeconds },
  });
}
