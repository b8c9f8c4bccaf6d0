import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { type Item, type Put, putItem, write } from "../../data/index.ts";
import type { RecordedEvent, UnindexedEvent } from "../../schemas/runs/run-event.ts";
import { type Db, queryPages } from "../db.ts";
import { packJson, Spilled, sessionObjects, spillBytes, unpackJson, unspillBytes } from "../objects/spill.ts";
import { eventSortKey, eventsKey, type RunAddress } from "./run-keys.ts";

/** Several events of one attempt, in order. */
export type EventBatch = {
  readonly run_id: string;
  readonly attempt: number;
  /** The first batch of an attempt that starts the run over: events of earlier attempts are no longer valid. */
  readonly startsOver: boolean;
  /** The first batch of an attempt that resumes a run: events from this index on are no longer valid. */
  readonly voidsFrom?: number;
  readonly events: readonly RecordedEvent[];
};

/** Version of the stored shape; raised with every change of it. */
export const EVENTS_SHAPE = 1;

/** A batch as it is stored, in an item of its own or on the run's record. */
export const StoredBatch = v.object({
  attempt: v.number(),
  starts_over: v.boolean(),
  voids_from: v.optional(v.number()),
  first_index: v.number(),
  next_index: v.number(),
  /** Packed; an object if they are large. */
  events: Spilled,
});
export type StoredBatch = v.InferOutput<typeof StoredBatch>;

/**
 * Makes a batch of events fit into an item. Events are repetitive: packed, a batch shrinks to a twentieth, and so does
 * the cost of its write. Measured on 1,000 content deltas of one run: 316 KB of JSON, 9 KB deflated (2.5 ms).
 */
export async function packBatch(
  db: Db,
  at: RunAddress,
  { attempt, startsOver, voidsFrom, events }: EventBatch,
): Promise<StoredBatch> {
  return {
    attempt,
    starts_over: startsOver,
    ...(voidsFrom !== undefined && { voids_from: voidsFrom }),
    first_index: events[0]?.event_index ?? 0,
    next_index: (events[events.length - 1]?.event_index ?? -1) + 1,
    events: await spillBytes(db, sessionObjects(at.owner, at.session_id), await packJson(events)),
  };
}

const batchItem = (runId: string, batch: StoredBatch): Item => ({
  pk: eventsKey(runId),
  sk: sortKeyOf(batch),
  ...batch,
  shape: EVENTS_SHAPE,
});

const sortKeyOf = ({ attempt, first_index }: StoredBatch): string => eventSortKey(attempt, first_index);

/** The write that appends events, alone or together with another change. */
export const putBatch = (runId: string, batch: StoredBatch): Put => putItem("runs", batchItem(runId, batch));

export async function appendEvents(db: Db, at: RunAddress, batch: EventBatch): Promise<void> {
  await write(db, putBatch(batch.run_id, await packBatch(db, at, batch)));
}

/** Position of a reader of events: the key of the last batch it has read. */
export type EventCursor = string | undefined;

export type EventsRead = {
  readonly events: RecordedEvent[];
  readonly cursor: EventCursor;
  /** Index from which on what was read before is void: a new attempt repeats it. */
  readonly voidFrom?: number;
};

/** What reading a run's events needs: the last batch of an ended run is on its record. */
type EventSource = { readonly run_id: string; readonly last_events?: StoredBatch | undefined };

/**
 * The valid events after a cursor, oldest first. An attempt that starts the run over invalidates all events before it;
 * one that resumes the run, those after the step it resumes from. Events that a replaced attempt still writes are not
 * valid either.
 */
export async function readEvents(db: Db, run: EventSource, after?: EventCursor): Promise<EventsRead> {
  const last = run.last_events;
  const stored = await readBatches(db, run.run_id, after);
  const batches = stored.filter((batch) => !last || !isBeyondEnd(batch, last));
  if (last && (after === undefined || sortKeyOf(last) > after)) batches.push(last);
  batches.sort((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1));
  const newest = batches[batches.length - 1];
  const voided = after === undefined ? [] : batches.flatMap(voidedBy);
  return {
    events: await validEvents(db, batches),
    cursor: newest ? sortKeyOf(newest) : after,
    ...(voided.length > 0 && { voidFrom: Math.min(...voided) }),
  };
}

const voidedBy = ({ starts_over, voids_from }: StoredBatch): number[] =>
  starts_over ? [0] : voids_from === undefined ? [] : [voids_from];

/** An attempt that was ended from outside may still write before it notices: events after the end are not valid. */
const isBeyondEnd = (batch: StoredBatch, last: StoredBatch): boolean =>
  batch.attempt === last.attempt && batch.first_index >= last.first_index;

/** The newest events of a run; of one that has ended its end is among them. */
export async function lastEvents(db: Db, run: EventSource): Promise<RecordedEvent[]> {
  const [item] = run.last_events ? [] : await newestBatch(db, run.run_id);
  const batch = run.last_events ?? (item && v.parse(StoredBatch, item));
  return batch ? eventsOf(db, batch, Number.POSITIVE_INFINITY) : [];
}

/** @param fields  those that are read; all when absent */
async function newestBatch(db: Db, runId: string, fields?: string): Promise<readonly Item[]> {
  const { Items = [] } = await db.client.send(
    new QueryCommand({
      TableName: db.tables.runs,
      KeyConditionExpression: "pk = :pk AND begins_with(sk, :event)",
      ExpressionAttributeValues: { ":pk": eventsKey(runId), ":event": "event#" },
      ...(fields !== undefined && { ProjectionExpression: fields }),
      ScanIndexForward: false,
      Limit: 1,
      ConsistentRead: true,
    }),
  );
  return Items;
}

async function readBatches(db: Db, runId: string, after: EventCursor): Promise<StoredBatch[]> {
  const batches: StoredBatch[] = [];
  const pages = queryPages(db, {
    TableName: db.tables.runs,
    KeyConditionExpression: "pk = :pk AND sk BETWEEN :after AND :end",
    ExpressionAttributeValues: {
      ":pk": eventsKey(runId),
      // Nothing sorts between a key and the key with a blank appended.
      ":after": after === undefined ? "event#" : `${after} `,
      ":end": "event#~",
    },
    ConsistentRead: true,
  });
  for await (const page of pages) {
    batches.push(...(page.Items ?? []).map((item) => v.parse(StoredBatch, item)));
  }
  return batches;
}

/** Walks back from the newest batch; stops where the run was started over. */
async function validEvents(db: Db, batches: readonly StoredBatch[]): Promise<RecordedEvent[]> {
  const valid: { readonly batch: StoredBatch; readonly before: number }[] = [];
  let takenOverAt = Number.POSITIVE_INFINITY;
  for (let i = batches.length - 1; i >= 0; i -= 1) {
    const batch = batches[i];
    if (!batch) break;
    const newer = batches[i + 1];
    if (newer && newer.attempt > batch.attempt) {
      takenOverAt = Math.min(takenOverAt, newer.voids_from ?? newer.first_index);
    }
    // A batch that arrived after its attempt was ended from outside overlaps the end.
    const overlappedAt = newer?.attempt === batch.attempt ? newer.first_index : takenOverAt;
    valid.push({ batch, before: Math.min(takenOverAt, overlappedAt) });
    if (batch.starts_over) break;
  }
  const events = await Promise.all(valid.map(({ batch, before }) => eventsOf(db, batch, before)));
  return events.reverse().flat();
}

async function eventsOf(db: Db, { events }: StoredBatch, before: number): Promise<RecordedEvent[]> {
  const unpacked = await unpackJson<RecordedEvent[]>(await unspillBytes(db, events));
  return unpacked.filter((event) => event.event_index < before);
}

/** Index of the next attempt's first event. */
export async function nextEventIndex(db: Db, run: EventSource): Promise<number> {
  const [newest] = await newestBatch(db, run.run_id, "next_index");
  return Math.max(Number(newest?.next_index ?? 0), run.last_events?.next_index ?? 0);
}

/** The same when there is a batch that is not written yet. */
export async function nextIndexAfter(db: Db, run: EventSource, { events }: EventBatch): Promise<number> {
  const last = events.at(-1);
  return last ? last.event_index + 1 : nextEventIndex(db, run);
}

/**
 * The terminal event of a run that is not being executed, with the index after its last event.
 *
 * @param attempt  the fencing token with which it is written
 */
export async function terminalEvents(
  db: Db,
  run: EventSource,
  attempt: number,
  event: UnindexedEvent,
): Promise<EventBatch> {
  const event_index = await nextEventIndex(db, run);
  return { run_id: run.run_id, attempt, startsOver: false, events: [{ ...event, event_index }] };
}
