import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { transact, type Update, writeAndRead } from "../../data/index.ts";
import { ORDER_OF_START } from "../../domain/platform-events.ts";
import { derivedId } from "../../runtime/ids.ts";
import type { Db } from "../db.ts";
import type { StoredJob } from "../jobs/job-item.ts";
import { jobChange } from "../jobs/move-job.ts";
import {
  expiryOfEvent,
  LOST_AFTER_SECONDS,
  type Publication,
  publishChanges,
  putEvent,
  wakeForEvent,
} from "../outbox/change-event.ts";
import type { StoredEvent } from "../outbox/event-item.ts";
import { eventKey, subjectPartition } from "../outbox/outbox-keys.ts";
import { getRun } from "./get-run.ts";
import { runFrom, type StoredRun, wholeRun } from "./run-item.ts";
import type { RunAddress } from "./run-keys.ts";
import { runUpdate } from "./run-update.ts";

/** Started, with the record as this attempt found it; or refused, with the record that was seen, if any. */
export type Marked =
  | { readonly started: true; readonly run: StoredRun }
  | { readonly started: false; readonly seen: StoredRun | undefined };

/**
 * Writes the attempt to a run record and sets it RUNNING.
 *
 * @param now       epoch seconds
 * @param hops      how often the attempt was handed off
 * @param publication  what is published of it, in the same transaction; one conditional write where there is no subscriber
 * @param revision  of its component in this code, null where none is declared; undefined leaves the recorded one
 */
export async function markRunning(
  db: Db,
  at: RunAddress,
  attempt: number,
  now: number,
  {
    hops = 0,
    revision,
    publication,
  }: {
    readonly hops?: number | undefined;
    readonly revision?: string | null;
    readonly publication?: Publication;
  } = {},
): Promise<Marked> {
  const change = { status: "RUNNING" as const, updated_at: now, ...(revision !== undefined && { revision }) };
  const starting = runUpdate(at, { by: "start", attempt, hops }, change);
  if (publication && publication.entries.length > 0)
    return markAndPublish(db, at, now, starting, publication);
  const result = await writeAndRead(db, starting);
  if (result.written) return { started: true, run: await wholeRun(db, runFrom(result.item, now)) };
  return { started: false, seen: result.seen && runFrom(result.seen, now) };
}

async function markAndPublish(
  db: Db,
  at: RunAddress,
  now: number,
  starting: Update,
  publication: Publication,
): Promise<Marked> {
  const result = await transact(db, { run: starting, publication: publication.entries });
  if (!result.written) return { started: false, seen: result.seen && runFrom(result.seen, now) };
  await publication.wake();
  const run = await getRun(db, at, now);
  return run ? { started: true, run } : { started: false, seen: undefined };
}

type Starting = Pick<
  StoredRun,
  "run_id" | "session_id" | "owner" | "component_type" | "component_id" | "attempt"
>;

/** Where starts have no subscriber. */
const nothing: Publication = { entries: [], wake: async () => undefined };

/** What is published of a run that starts, as entries of the transaction in which it does. @param now epoch seconds */
export async function publishStart(db: Db, run: Starting | undefined, now: number): Promise<Publication> {
  if (!run || !db.outbox || !(await db.outbox.hasSubscribers("run.started"))) return nothing;
  const event = startOf(run, now, db.outbox.retentionDays);
  return { entries: [putEvent(event)], wake: () => wakeForEvent(db, event) };
}

/**
 * What is published as a worker begins an attempt of a job: that the job is running, and the start of the run, unless an earlier
 * attempt has published it.
 *
 * @param now  epoch seconds
 */
export async function publishAttempt(db: Db, job: StoredJob, now: number): Promise<Publication> {
  // Nothing is read or written where there is no subscriber.
  if (!db.outbox || (job.hops ?? 0) > 0) return nothing;
  const running = await publishChanges(db, [jobChange(job, "running", now)]);
  const run = { ...job, run_id: job.id };
  const started =
    job.attempt > 1 && (await isStartPublished(db, job.id)) ? nothing : await publishStart(db, run, now);
  return {
    entries: [...started.entries, ...running.entries],
    wake: async () => {
      await Promise.all([started.wake(), running.wake()]);
    },
  };
}

async function isStartPublished(db: Db, runId: string): Promise<boolean> {
  if (!(await db.outbox?.hasSubscribers("run.started"))) return true;
  const Key = eventKey({ kind: "run", id: runId }, ORDER_OF_START);
  const read = { TableName: db.tables.outbox, Key, ConsistentRead: true, ProjectionExpression: "pk" };
  return (await db.client.send(new GetCommand(read))).Item !== undefined;
}

function startOf(
  { run_id, session_id, owner, component_type, component_id, attempt }: Starting,
  now: number,
  retentionDays: number,
): StoredEvent {
  const subject = { kind: "run", id: run_id } as const;
  return {
    id: `evt_${derivedId(`${subjectPartition(subject)}#${ORDER_OF_START}`)}`,
    type: "run.started",
    subject,
    order: ORDER_OF_START,
    owner,
    occurred_at: now,
    run: { session_id, component_type, component_id, attempt, status: "RUNNING" },
    due_at: now + LOST_AFTER_SECONDS,
    expires_at: expiryOfEvent(now, retentionDays),
  };
}
