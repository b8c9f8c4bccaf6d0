import * as v from "valibot";
import type { Item } from "../../data/index.ts";
import { subjectKinds } from "../../domain/platform-events.ts";
import { Callback } from "../../schemas/deliveries/callback.ts";
import { SentEventType } from "../../schemas/deliveries/event-type.ts";
import { RunStatus } from "../../schemas/runs/run.ts";
import { ScheduleRunRef } from "../../schemas/schedules/schedule-run.ts";
import { eventKey, outboxDue } from "./outbox-keys.ts";

/** Version of the stored shape; raised with every change of it. */
export const OUTBOX_EVENT_SHAPE = 3;

/** What an event of a run says of it. What was said in the run is read from its record when a message is sent. */
export const RunFacts = v.object({
  session_id: v.string(),
  component_type: v.picklist(["agent", "team", "workflow"]),
  component_id: v.string(),
  attempt: v.number(),
  status: RunStatus,
  /** The run's own receiver, if it subscribes to this event. */
  callback: v.optional(Callback),
  schedule_run: v.optional(ScheduleRunRef),
  /** A task of a state machine waits for its end; the token is in the run's record alone. */
  task: v.optional(v.literal(true)),
  /** The token itself, of a run that was deleted with its record. */
  task_token: v.optional(v.string()),
  /** Whether clients of A2A want to be notified. */
  pushed: v.optional(v.literal(true)),
});
export type RunFacts = v.InferOutput<typeof RunFacts>;

const componentTypes = ["agent", "team", "workflow"] as const;
/** The component that a change is about. */
export const ChangedComponent = v.object({ type: v.picklist(componentTypes), id: v.string() });
export type ChangedComponent = v.InferOutput<typeof ChangedComponent>;

/** What an event says of a change: ids, states and times, and nothing of what was said. */
export const ChangeFacts = v.record(v.string(), v.nullable(v.union([v.string(), v.number(), v.boolean()])));
export type ChangeFacts = v.InferOutput<typeof ChangeFacts>;

/** An event of the outbox: written in the transaction that made it happen. */
export const StoredEvent = v.object({
  id: v.string(),
  type: SentEventType,
  subject: v.object({ kind: v.picklist(subjectKinds), id: v.string() }),
  /** Where it stands among the events of its subject. */
  order: v.string(),
  /** Its owner; null if unowned. */
  owner: v.nullable(v.string()),
  /** When it happened, epoch seconds. */
  occurred_at: v.number(),
  /** For pings: which endpoint is tested. */
  endpoint_id: v.optional(v.string()),
  /** For events of runs. */
  run: v.optional(RunFacts),
  /** For events of anything else. */
  change: v.optional(v.object({ component: v.optional(ChangedComponent), facts: ChangeFacts })),
  /** When the sweeper sends its wake-up again, epoch seconds; absent once its deliveries are written. */
  due_at: v.optional(v.number()),
  expires_at: v.number(),
});
export type StoredEvent = v.InferOutput<typeof StoredEvent>;

export const eventItem = (event: StoredEvent): Item => ({
  ...eventKey(event.subject, event.order),
  ...event,
  ...(event.due_at !== undefined && outboxDue.keys(event, event.due_at)),
  shape: OUTBOX_EVENT_SHAPE,
});

/** @throws when the item is not an event of a shape that this code reads */
export const eventFrom = (item: Item): StoredEvent => v.parse(StoredEvent, item);
