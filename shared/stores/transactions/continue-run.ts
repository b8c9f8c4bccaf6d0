import type { JobPayload } from "../../schemas/queue/queue-job.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import type { StoredApproval } from "../approvals/approval-item.ts";
import { putApproval } from "../approvals/end-approvals.ts";
import { type ApprovalResolution, resolutionOf } from "../approvals/record-resolution.ts";
import type { Db } from "../db.ts";
import type { StoredJob } from "../jobs/job-item.ts";
import { jobUpdate } from "../jobs/job-update.ts";
import { spillJob, wholeJob } from "../jobs/spill-job.ts";
import { sessionObjects } from "../objects/object-prefix.ts";
import { spillBytes } from "../objects/spill.ts";
import type { Spilled } from "../objects/spilled.ts";
import { putBatch } from "../runs/events.ts";
import type { StoredRun } from "../runs/run-item.ts";
import { runKey } from "../runs/run-keys.ts";
import { type SpilledOutput, spillOutput } from "../runs/spill-output.ts";
import { transact, type Write } from "../transact.ts";

/** A run that came to rest and is to go on. */
export type Continuation = {
  /** As it was seen; anything that has happened to it since refuses the whole. */
  readonly run: StoredRun;
  /** The run as it goes on: its status is RUNNING where it is executed at once, PENDING where a worker will. */
  readonly output: StoredOutput;
  readonly attempt: number;
  /** Epoch seconds; given where it is executed at once. */
  readonly lease_until?: number;
  /** Where a worker goes on; see `checkpoint.ts`. */
  readonly checkpoint?: Uint8Array;
  /** The paused job that is queued again. */
  readonly job?: { readonly row: StoredJob; readonly asked: NonNullable<JobPayload["continue"]> };
  /** Approvals that the answer settles, and those that it puts on record. */
  readonly resolutions: readonly { readonly id: string; readonly resolution: ApprovalResolution }[];
  readonly recorded: readonly StoredApproval[];
  /** Epoch seconds. */
  readonly now: number;
};

/**
 * Lets a run go on: record, job and approvals change together or not at all, so that of two who continue it one does.
 *
 * @returns false when the run, its job or an approval changed in the meantime: nothing was written
 */
export async function continueRun(db: Db, continuation: Continuation): Promise<boolean> {
  const { run, resolutions, recorded } = continuation;
  const kept = await keptParts(db, continuation);
  const { job } = kept;
  const result = await transact(db, () => [
    ...(job ? [{ Update: requeuePaused(db, job, continuation.now) }] : []),
    { Update: runOn(db, continuation, kept) },
    // Kept in an item of its own, so that the next end does not write over it.
    ...(run.last_events ? [putBatch(db, run.run_id, run.last_events)] : []),
    ...resolutions.map(({ id, resolution }): Write => ({ Update: resolutionOf(db, id, resolution) })),
    ...recorded.map((approval) => putApproval(db, approval)),
  ]);
  return result.written;
}

/** @source contract, runs-and-queue 10.3, "continue": one more execution, due at once */
function requeuePaused(db: Db, { id, attempt, payload, payload_large }: StoredJob, now: number) {
  const budget = attempt + 1;
  const change = {
    payload,
    payload_large,
    max_attempts: budget,
    attempt_ceiling: budget,
    available_at: now,
    hops: 0,
  };
  return jobUpdate(db, id, "continue", { now }, change);
}

type KeptParts = SpilledOutput & {
  readonly checkpoint: Spilled | undefined;
  readonly job: StoredJob | undefined;
};

/** What is too large for its item becomes an object before anything points to it. */
async function keptParts(db: Db, { run, output, checkpoint, job }: Continuation): Promise<KeptParts> {
  const prefix = sessionObjects(run.owner, run.session_id);
  const [kept, packed, queued] = await Promise.all([
    spillOutput(db, run, output),
    checkpoint && spillBytes(db, prefix, checkpoint),
    job && continuedJob(db, job),
  ]);
  return { ...kept, checkpoint: packed, job: queued };
}

/** The job with what it was continued with beside what it was asked first. */
async function continuedJob(db: Db, { row, asked }: NonNullable<Continuation["job"]>): Promise<StoredJob> {
  const whole = await wholeJob(db, row);
  return spillJob(db, { ...whole, payload: { ...whole.payload, continue: asked } });
}

function runOn(db: Db, { run, attempt, lease_until }: Continuation, kept: KeptParts) {
  const { output, output_large, checkpoint } = kept;
  const sets = {
    status: output.status,
    output,
    attempt,
    ...(output_large && { output_large }),
    ...(lease_until !== undefined && { lease_until }),
    ...(checkpoint && { checkpoint }),
  };
  const removed = [
    "last_events",
    ...(lease_until === undefined ? ["lease_until"] : []),
    ...(checkpoint ? [] : ["checkpoint"]),
    ...(output_large ? [] : ["output_large"]),
  ];
  const names = new Set([...Object.keys(sets), ...removed]);
  return {
    TableName: db.tables.runs,
    Key: runKey(run.owner, run.session_id, run.run_id),
    UpdateExpression: `SET ${Object.keys(sets)
      .map((name) => `#${name} = :${name}`)
      .join(", ")} REMOVE ${removed.map((name) => `#${name}`).join(", ")}`,
    ConditionExpression: `#attempt = :seen_attempt AND ${seenStatus(run)}`,
    ExpressionAttributeNames: Object.fromEntries([...names].map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ...Object.fromEntries(Object.entries(sets).map(([name, value]) => [`:${name}`, value])),
      ":seen_attempt": run.attempt,
      ":seen_status": run.status,
      ...(isLost(run) && { ":running": "RUNNING", ":seen_lease": run.lease_until }),
    },
  };
}

/** A run whose process was lost reads as ERROR; it is still RUNNING in the table, under its old lease. */
const seenStatus = (run: StoredRun): string =>
  isLost(run)
    ? "(#status = :seen_status OR (#status = :running AND #lease_until = :seen_lease))"
    : "#status = :seen_status";

const isLost = ({ status, lease_until }: StoredRun): boolean =>
  status === "ERROR" && lease_until !== undefined;
