import {
  type ChangeType,
  type RunEventType,
  runEventTypes,
  type SentEventType,
} from "../../schemas/deliveries/event-type.ts";
import type { RunStatus } from "../../schemas/runs/run.ts";

/** Kinds of records that events are about; the type of an event begins with one of them. */
export const eventFamilies = ["run", "job", "approval", "schedule", "schedule_run", "evaluation"] as const;
export type EventFamily = (typeof eventFamilies)[number];

export const subjectKinds = [...eventFamilies, "ping"] as const;
/** What an event is about. Events of one subject are delivered in their order; each ping is a subject of its own. */
export type Subject = { readonly kind: (typeof subjectKinds)[number]; readonly id: string };

type EventRow = {
  /** Version of the data's form; raised when a field changes its meaning or goes. */
  readonly version: number;
  /** The run's status at this event; absent for events that are about no run. */
  readonly status?: RunStatus;
  /** Whether the subject goes on after it: such an event comes before one that ends the same attempt. */
  readonly isFinal: boolean;
};

/** Every event that the platform sends. The data of each is built in `functions/delivery-worker/bodies/`. */
export const platformEvents = {
  "run.completed": { version: 1, status: "COMPLETED", isFinal: true },
  "run.failed": { version: 1, status: "ERROR", isFinal: true },
  "run.cancelled": { version: 1, status: "CANCELLED", isFinal: true },
  "run.paused": { version: 1, status: "PAUSED", isFinal: false },
  "job.queued": { version: 1, isFinal: false },
  "job.paused": { version: 1, isFinal: false },
  "job.completed": { version: 1, isFinal: true },
  "job.failed": { version: 1, isFinal: true },
  "job.cancelled": { version: 1, isFinal: true },
  "approval.created": { version: 1, isFinal: false },
  "approval.resolved": { version: 1, isFinal: true },
  "schedule.created": { version: 1, isFinal: false },
  "schedule.updated": { version: 1, isFinal: false },
  "schedule.deleted": { version: 1, isFinal: true },
  "schedule_run.completed": { version: 1, isFinal: true },
  "schedule_run.failed": { version: 1, isFinal: true },
  "schedule_run.skipped": { version: 1, isFinal: true },
  "evaluation.created": { version: 1, isFinal: false },
  "evaluation.completed": { version: 1, isFinal: true },
  "evaluation.failed": { version: 1, isFinal: true },
  ping: { version: 1, isFinal: true },
} as const satisfies Record<SentEventType, EventRow>;

const runTypes = new Map<RunStatus, RunEventType>([
  ["COMPLETED", "run.completed"],
  ["ERROR", "run.failed"],
  ["CANCELLED", "run.cancelled"],
  ["PAUSED", "run.paused"],
]);

/** The event of a run that reaches a status; undefined where nothing is told. */
export const runEventType = (status: RunStatus): RunEventType | undefined => runTypes.get(status);

export const isRunEvent = (type: SentEventType): type is RunEventType =>
  (runEventTypes as readonly string[]).includes(type);

/** The kind of record that an event is about. */
export const familyOf = (type: RunEventType | ChangeType): EventFamily =>
  // As every type is named.
  type.slice(0, type.indexOf(".")) as EventFamily;

const SECONDS_DIGITS = 12;

/**
 * Where a change stands among the others of its subject. It is written in the transaction of the change, so it needs no
 * id that a repeated step would find.
 *
 * @param now  epoch seconds
 * @param id   unique
 */
export const orderOfChange = (now: number, id: string): string =>
  `${String(now).padStart(SECONDS_DIGITS, "0")}-${id}`;

const ATTEMPT_DIGITS = 6;

/**
 * Where an event of a run stands among the others of it. A pause comes before the end of the same attempt: a run that is
 * cancelled while it is paused ends in the attempt that paused.
 *
 * @returns text that sorts in the order of events, and is the same however often the event is written
 */
export const orderOfRunEvent = (attempt: number, type: RunEventType): string =>
  `${String(attempt).padStart(ATTEMPT_DIGITS, "0")}-${platformEvents[type].isFinal ? 1 : 0}-${type.slice("run.".length)}`;

/** The same for a ping. @param nowMs epoch milliseconds */
export const orderOfPing = (nowMs: number): string => `${String(nowMs).padStart(15, "0")}-ping`;
