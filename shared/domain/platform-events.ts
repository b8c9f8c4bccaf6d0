import type { ChangeType, EventType, RunEventType, SentEventType } from "../schemas/deliveries/event-type.ts";
import type { RunStatus } from "../schemas/runs/run.ts";

/** Kinds of records that events are about; the type of an event begins with one of them. */
export const eventFamilies = [
  "run",
  "job",
  "approval",
  "schedule",
  "schedule_run",
  "evaluation",
  "feedback",
] as const;
export type EventFamily = (typeof eventFamilies)[number];

export const subjectKinds = [...eventFamilies, "ping", "task"] as const;
/**
 * What an event is about. Events of one subject are delivered in their order; each ping is a subject of its own, and so is the
 * task of a state machine whose run was deleted.
 */
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
  "run.started": { version: 1, status: "RUNNING", isFinal: false },
  "job.queued": { version: 1, isFinal: false },
  "job.running": { version: 1, isFinal: false },
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
  "feedback.created": { version: 1, isFinal: false },
  "feedback.updated": { version: 1, isFinal: false },
  "feedback.deleted": { version: 1, isFinal: true },
  ping: { version: 1, isFinal: true },
} as const satisfies Record<SentEventType, EventRow>;

const runTypes = new Map<RunStatus, RunEventType>([
  ["COMPLETED", "run.completed"],
  ["ERROR", "run.failed"],
  ["CANCELLED", "run.cancelled"],
  ["PAUSED", "run.paused"],
]);

/** The event of a run that reaches a status; undefined where no event is published. */
export const runEventType = (status: RunStatus): RunEventType | undefined => runTypes.get(status);

/** The kind of record that an event is about. */
export const familyOf = (type: EventType): EventFamily =>
  // As every type is named.
  type.slice(0, type.indexOf(".")) as EventFamily;

/** Published at each start: written only where there is a bus, or an endpoint that names it. */
const starts = ["run.started", "job.running"] as const;
/** What receivers are asked about before an event is written: a kind of record, or a start. */
export type EventTopic = EventFamily | (typeof starts)[number];

/** The topic that subscribers of an event ask for. */
export const topicOf = (type: EventType): EventTopic =>
  starts.find((start) => start === type) ?? familyOf(type);

const SECONDS_DIGITS = 12;
const ATTEMPT_DIGITS = 6;

/** The start of a run is before every attempt of it, and the same however often it is written. */
export const ORDER_OF_START = `${"0".repeat(ATTEMPT_DIGITS)}-0-started`;

/**
 * Where a change stands among the others of its subject. It is written in the transaction of the change, so it needs no
 * id that a repeated step would find.
 *
 * @param now   epoch seconds
 * @param id    unique
 * @param step  orders what happens to one subject within a second; sorts as text
 */
export const orderOfChange = (now: number, id: string, step = ""): string =>
  `${String(now).padStart(SECONDS_DIGITS, "0")}-${step}${id}`;

const jobSteps: readonly string[] = ["job.running", "job.paused", "job.queued"] satisfies ChangeType[];

/** Where a change of a job stands within a second: a claim begins an attempt, everything else follows in it. */
export const stepOfJob = (type: Extract<ChangeType, `job.${string}`>, attempt: number): string => {
  const at = jobSteps.indexOf(type);
  return `${String(attempt).padStart(ATTEMPT_DIGITS, "0")}-${at < 0 ? jobSteps.length : at}-`;
};

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
