import { anyOf, type Guard, type Part, type Update, updateItem, type Write } from "../../data/index.ts";
import type { JobPayload } from "../../schemas/queue/queue-job.ts";
import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import { approvalChange, getApprovals, type StoredApproval } from "../approvals/approval-item.ts";
import {
  type ApprovalResolution,
  auditedResolution,
  putApproval,
  resolutionOf,
} from "../approvals/end-approvals.ts";
import type { ForegroundSlot } from "../budgets/foreground-slots.ts";
import type { Db } from "../db.ts";
import { type StoredJob, spillJob, wholeJob } from "../jobs/job-item.ts";
import { jobChange } from "../jobs/move-job.ts";
import { type Spilled, sessionObjects, spillBytes } from "../objects/spill.ts";
import { type Change, publishChanges } from "../outbox/change-event.ts";
import { watchEntries } from "../outbox/lease-watch.ts";
import { putBatch } from "../runs/events.ts";
import { type SpilledOutput, type StoredRun, spillOutput } from "../runs/run-item.ts";
import { runKey } from "../runs/run-keys.ts";
import type { StoredSession } from "../sessions/session-item.ts";
import { claimTurn } from "../sessions/session-writes.ts";
import { queuedJob } from "./queued-job.ts";
import { commitStart, type Started } from "./start-run.ts";

/** A run that has ended or paused and is to be continued. */
export type Continuation = {
  /** As it was read; any change of it since then refuses the transaction. */
  readonly run: StoredRun;
  /** The continued run: its status is RUNNING if it is executed at once, PENDING if a worker will execute it. */
  readonly output: StoredOutput;
  readonly attempt: number;
  /** Whether it may repeat what it did before it failed; see `StoredRun.state_written`. */
  readonly keepsWritten?: boolean;
  /** Epoch seconds; given if it is executed at once. */
  readonly lease_until?: number;
  /** Where a worker resumes; see `checkpoint.ts`. */
  readonly checkpoint?: Uint8Array;
  /**
   * The job under which a worker executes it: the run's own, paused or ended; or a new one (`isNew`) for a run that has
   * none.
   */
  readonly job?: {
    readonly row: StoredJob;
    readonly asked: NonNullable<JobPayload["continue"]>;
    readonly isNew?: boolean;
  };
  /** Approvals that the answer resolves, and those that it creates. */
  readonly resolutions: readonly { readonly id: string; readonly resolution: ApprovalResolution }[];
  readonly recorded: readonly StoredApproval[];
  /** The session as it was read, where the run takes a turn in it; see `claimTurn`. */
  readonly turnIn?: StoredSession | undefined;
  /** Those that it takes, if it is executed at once. */
  readonly slots?: readonly ForegroundSlot[];
  /** Claims the idempotency key of the request. */
  readonly key?: Write | undefined;
  /** Epoch seconds. */
  readonly now: number;
};

/**
 * Continues a run: record, job and approvals change all or nothing, so that of two concurrent requests one succeeds.
 */
export async function continueRun(db: Db, continuation: Continuation): Promise<Started> {
  const { run, resolutions, recorded, slots = [], now, turnIn, key } = continuation;
  const { lease_until } = continuation;
  const [spilled, watch] = await Promise.all([
    spillParts(db, continuation),
    watchEntries(db, { ...run, lease_until }),
  ]);
  const { job } = spilled;
  const resolved = await getApprovals(
    db,
    resolutions.map(({ id }) => id),
  );
  const publication = await publishChanges(db, changesOf(continuation, resolved, job));
  const writes = (tryNumber: number): Part => [
    ...(job ? queuedJob(db, { job, isNew: continuation.job?.isNew === true, now }, tryNumber) : []),
    continuedRun(continuation, spilled),
    // In an item of their own, so that the next end does not overwrite them.
    run.last_events && putBatch(run.run_id, run.last_events),
    ...resolutions.map(({ id, resolution }) => resolutionOf(id, resolution)),
    ...recorded.map(putApproval),
    ...auditedAnswers(db, continuation, resolved),
  ];
  const session = turnIn && claimTurn(turnIn);
  return commitStart(db, { writes, session, key, slots, watch, publication, now });
}

/** The audit records of what a person decides by this continuation. */
const auditedAnswers = (
  db: Db,
  { resolutions, recorded }: Continuation,
  resolved: readonly StoredApproval[],
): Write[] => [
  ...resolved.flatMap((approval) => {
    const resolution = resolutions.find(({ id }) => id === approval.id)?.resolution;
    return resolution ? [auditedResolution(db, approval, resolution)] : [];
  }),
  ...recorded.flatMap((approval) => {
    const { status } = approval;
    return status === "pending"
      ? []
      : [auditedResolution(db, { ...approval, status: "pending" }, { ...approval, status })];
  }),
];

function changesOf(
  { resolutions, recorded, now }: Continuation,
  resolved: readonly StoredApproval[],
  job: StoredJob | undefined,
): Change[] {
  const after = resolved.map((approval) => ({
    ...approval,
    ...resolutions.find(({ id }) => id === approval.id)?.resolution,
  }));
  return [
    ...[...after, ...recorded].map((approval) => approvalChange(approval, now)),
    ...(job ? [jobChange({ ...job, max_attempts: job.attempt + 1 }, "queued", now)] : []),
  ];
}

type SpilledParts = SpilledOutput & {
  readonly checkpoint: Spilled | undefined;
  readonly job: StoredJob | undefined;
};

/** Writes values that are too large for an item as objects, before anything points to them. */
async function spillParts(db: Db, { run, output, checkpoint, job }: Continuation): Promise<SpilledParts> {
  const prefix = sessionObjects(run.owner, run.session_id);
  const [spilledOutput, packed, queued] = await Promise.all([
    spillOutput(db, run, output),
    checkpoint && spillBytes(db, prefix, checkpoint),
    job && continuedJob(db, job),
  ]);
  return { ...spilledOutput, checkpoint: packed, job: queued };
}

/** The job with the request that continued it, beside the first one. */
async function continuedJob(db: Db, { row, asked }: NonNullable<Continuation["job"]>): Promise<StoredJob> {
  const whole = await wholeJob(db, row);
  return spillJob(db, { ...whole, payload: { ...whole.payload, continue: asked } });
}

function continuedRun(
  { run, attempt, lease_until, keepsWritten = false, now }: Continuation,
  spilled: SpilledParts,
): Update {
  const { output, output_large, checkpoint, job } = spilled;
  return updateItem("runs", runKey(run.owner, run.session_id, run.run_id), {
    set: {
      status: output.status,
      updated_at: now,
      output,
      output_large,
      attempt,
      lease_until,
      checkpoint,
      ...(job && { queued: true }),
      ...(!keepsWritten && { state_written: undefined }),
      last_events: undefined,
      // It rests no longer.
      status_key: undefined,
    },
    guard: [{ attempt: run.attempt }, asRead(run)],
  });
}

/** A run whose process was lost reads as ERROR; in the table it is still RUNNING, with its old lease. */
const asRead = ({ status, lease_until }: StoredRun): Guard =>
  status === "ERROR" && lease_until !== undefined
    ? anyOf({ status }, { status: "RUNNING", lease_until })
    : { status };
