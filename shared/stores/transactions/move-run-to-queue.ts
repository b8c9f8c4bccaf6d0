import {
  absentOr,
  atMost,
  type Item,
  isNew,
  putItem,
  transact,
  type Update,
  updateItem,
} from "../../data/index.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import type { Db } from "../db.ts";
import { jobItem, type StoredJob, spillJob } from "../jobs/job-item.ts";
import { jobChange } from "../jobs/move-job.ts";
import { type Spilled, sessionObjects, spillBytes } from "../objects/spill.ts";
import { publishChanges } from "../outbox/change-event.ts";
import { type EventBatch, packBatch, putBatch } from "../runs/events.ts";
import { type SpilledOutput, type StoredRun, spillOutput } from "../runs/run-item.ts";
import { runKey } from "../runs/run-keys.ts";

/** A foreground run that gets a job. */
export type MoveToQueue = {
  readonly run: StoredRun;
  /**
   * New: a foreground run has none. Queued, if a worker is to claim it; running, if this process or the token of a
   * hand-off holds its lock.
   */
  readonly job: StoredJob;
  /** Epoch seconds. */
  readonly now: number;
  /** Where it was suspended, with the events until then; absent if it resumes from its last saved checkpoint. */
  readonly suspended?: { readonly checkpoint: Uint8Array; readonly events: EventBatch } | undefined;
};

/**
 * `has_job`: the run has a job already, by an earlier write whose answer was lost. `refused`: it has ended, or is
 * cancelled. In both cases nothing was written.
 */
export type MovedToQueue = "moved" | "has_job" | "refused";

/** Gives a foreground run a job: job, record and events are written all or nothing. */
export async function moveRunToQueue(
  db: Db,
  { run, job, now, suspended }: MoveToQueue,
): Promise<MovedToQueue> {
  const status = job.status === "queued" ? "PENDING" : "RUNNING";
  const output: StoredOutput = { ...run.output, status };
  const [spilled, queued, checkpoint, batch] = await Promise.all([
    spillOutput(db, run, output),
    spillJob(db, job),
    suspended && spillBytes(db, sessionObjects(run.owner, run.session_id), suspended.checkpoint),
    suspended && suspended.events.events.length > 0 ? packBatch(db, run, suspended.events) : undefined,
  ]);
  const publication = await publishChanges(
    db,
    job.status === "queued" ? [jobChange(job, "queued", now)] : [],
  );
  const result = await transact(db, {
    job: putItem("jobs", jobItem(db, queued), isNew),
    run: runIntoQueue({ run, now }, spilled, checkpoint),
    events: batch && putBatch(run.run_id, batch),
    publication: publication.entries,
  });
  if (result.written) await publication.wake();
  if (result.written || isOwn(job, result.seen)) return "moved";
  return result.refused === "job" ? "has_job" : "refused";
}

/** A write whose answer was lost is tried again, and is then refused by its own first one. */
const isOwn = ({ locked_by }: StoredJob, seen: Item | undefined): boolean =>
  locked_by !== null && seen?.locked_by === locked_by && seen.sk === "job";

const runIntoQueue = (
  { run, now }: Pick<MoveToQueue, "run" | "now">,
  { output, output_large }: SpilledOutput,
  checkpoint: Spilled | undefined,
): Update =>
  updateItem("runs", runKey(run.owner, run.session_id, run.run_id), {
    set: {
      status: output.status,
      updated_at: now,
      output,
      output_large,
      queued: true,
      ...(checkpoint && { checkpoint }),
      lease_until: undefined,
    },
    guard: { status: "RUNNING", attempt: run.attempt, cancel_until: absentOr(atMost(now)) },
  });
