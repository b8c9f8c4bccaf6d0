import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import type { Item } from "../../data/index.ts";
import { QueueJob } from "../../schemas/queue/queue-job.ts";
import { ScheduleRunRef } from "../../schemas/schedules/schedule-run.ts";
import type { Db } from "../db.ts";
import { packJson, Spilled, sessionObjects, spillBytes, unpackJson, unspillBytes } from "../objects/spill.ts";
import type { StoredRun } from "../runs/run-item.ts";
import type { RunAddress } from "../runs/run-keys.ts";
import { acceptedKey, jobKey, statusShard, userPartition, userPlace } from "./job-keys.ts";

/** Version of the stored shape; raised with every change of it. */
export const JOB_SHAPE = 8;

/** What the platform stores with a job in addition to what the wire shows. */
const JobInternals = v.object({
  /** Owner of the session, under whose key the run record is stored. */
  owner: v.nullable(v.string()),
  /** The last attempt that may be made. */
  attempt_ceiling: v.number(),
  /** Runs of its session that must have ended before it is executed, the newest first; removed by the claim. */
  waits_for: v.optional(v.array(v.string())),
  /** Set where it does not take turns with the runs of its session, also when it continues after a pause. */
  overlaps: v.optional(v.literal(true)),
  /** The payload, if the item has no room for it; see `spill-job.ts`. */
  payload_large: v.optional(Spilled),
  /** When it was requeued last; epoch seconds. */
  requeued_at: v.optional(v.number()),
  /** When the present attempt was claimed; epoch seconds. */
  attempt_started_at: v.optional(v.number()),
  /** How often the present attempt was handed off. */
  hops: v.optional(v.number()),
  /** Set while it waits in the queue within its attempt, because its model is not to be called. */
  postponed: v.optional(v.literal(true)),
  /** The version of the code that it began with, and continues with while that is kept; see `shared/runs/execute/code-pin.ts`. */
  code_version: v.optional(v.string()),
  /** Set once an operator has requeued it: it may have continued with other code than it began with. */
  requeued: v.optional(v.literal(true)),
  /** The attempt of a schedule that started it; the end of the run is recorded there. */
  schedule_run: v.optional(ScheduleRunRef),
  /** Set when another agent's message started the run: its task is updated with it. */
  task: v.optional(v.literal(true)),
  /** Key of the chat message that it answers, and that waits for its end. */
  chat_message: v.optional(v.string()),
  /** Set when a cancellation is recorded: when it expires; epoch seconds. */
  cancel_until: v.optional(v.number()),
  /** Set while a paused job is counted as such. */
  counted_pause: v.optional(v.literal(true)),
  /** Epoch seconds; set once the job has ended. */
  expires_at: v.optional(v.number()),
});
export type JobInternals = v.InferOutput<typeof JobInternals>;

export type StoredJob = QueueJob & JobInternals;

export const StoredJob = v.intersect([QueueJob, JobInternals]);

/** The item of a new job. */
export function jobItem(db: Db, job: StoredJob): Item {
  const user_place = userPlace(job.status, job.id);
  return {
    ...jobKey(job.id),
    ...job,
    status_shard: statusShard(db, job.status, job.id),
    accepted: acceptedKey(job.created_at, job.id),
    ...(job.user_id !== null && { user_partition: userPartition(db, job.user_id, job.id) }),
    ...(user_place !== undefined && { user_place }),
    shape: JOB_SHAPE,
  };
}

/** @throws when the item is not a job of a shape that this code reads: a defect, never an answer */
export function jobFrom(item: Item): StoredJob {
  return v.parse(StoredJob, item);
}

/** The job as the wire shows it. */
export function wireJob(job: StoredJob): QueueJob {
  return v.parse(QueueJob, job);
}

/** JSON of a job's payload up to this many bytes stays in its item: a list reads a hundred jobs. */
const MAX_PLAIN_PAYLOAD_BYTES = 32_000;
const PREVIEW_CHARS = 1_000;

/** A job that fits into its item: a large payload becomes a preview that is marked as truncated. */
export async function spillJob(db: Db, job: StoredJob): Promise<StoredJob> {
  const { payload } = job;
  if (Buffer.byteLength(JSON.stringify(payload)) <= MAX_PLAIN_PAYLOAD_BYTES) return job;
  const prefix = sessionObjects(job.owner, job.session_id);
  const payload_large = await spillBytes(db, prefix, await packJson(payload), MAX_PLAIN_PAYLOAD_BYTES);
  const preview = {
    ...payload,
    input: payload.input.slice(0, PREVIEW_CHARS),
    kwargs: {},
    ...(payload.continue && { continue: previewOf(payload.continue) }),
    truncated: true as const,
  };
  return { ...job, payload: preview, payload_large };
}

/** The preview shows that there was a continuation. */
const previewOf = ({ continue_from }: NonNullable<StoredJob["payload"]["continue"]>) => ({
  updated_tools: [],
  input: null,
  continue_from,
  kwargs: {},
});

/** A job with its whole payload. @throws ServiceError when it is missing or damaged */
export async function wholeJob(db: Db, stored: StoredJob): Promise<StoredJob> {
  const { payload_large, ...job } = stored;
  if (!payload_large) return job;
  return { ...job, payload: await unpackJson<StoredJob["payload"]>(await unspillBytes(db, payload_large)) };
}

/** @param now epoch seconds; a job past its retention is not returned, even before it is deleted */
export async function getJob(db: Db, id: string, now: number): Promise<StoredJob | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.jobs, Key: jobKey(id), ConsistentRead: true }),
  );
  if (!Item) return undefined;
  const job = jobFrom(Item);
  return job.expires_at !== undefined && job.expires_at <= now ? undefined : job;
}

/** Where the record of a job's run is stored. */
export const runOf = (job: StoredJob): RunAddress => ({
  owner: job.owner,
  session_id: job.session_id,
  run_id: job.id,
});

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
