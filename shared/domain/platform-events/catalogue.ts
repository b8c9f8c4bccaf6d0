import type { EventType, SentEventType } from "../../schemas/deliveries/event-type.ts";
import type { RunStatus } from "../../schemas/runs/run.ts";

/** What an event is about. Events of one subject are delivered in their order; each ping is a subject of its own. */
export type Subject = { readonly kind: "run" | "ping"; readonly id: string };

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
  ping: { version: 1, isFinal: true },
} as const satisfies Record<SentEventType, EventRow>;

const runTypes = new Map<RunStatus, EventType>([
  ["COMPLETED", "run.completed"],
  ["ERROR", "run.failed"],
  ["CANCELLED", "run.cancelled"],
  ["PAUSED", "run.paused"],
]);

/** The event of a run that reaches a status; undefined where nothing is told. */
export const runEventType = (status: RunStatus): EventType | undefined => runTypes.get(status);

const ATTEMPT_DIGITS = 6;

/**
 * Where an event of a run stands among the others of it. A pause comes before the end of the same attempt: a run that is
 * cancelled while it is paused ends in the attempt that paused.
 *
 * @returns text that sorts in the order of events, and is the same however often the event is written
 */
export const orderOfRunEvent = (attempt: number, type: EventType): string =>
  `${String(attempt).padStart(ATTEMPT_DIGITS, "0")}-${platformEvents[type].isFinal ? 1 : 0}-${type.slice("run.".length)}`;

/** The same for a ping. @param nowMs epoch milliseconds */
export const orderOfPing = (nowMs: number): string => `${String(nowMs).padStart(15, "0")}-ping`;
