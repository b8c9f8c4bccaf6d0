import * as v from "valibot";

/** Events that receivers may ask for. What the data of each holds: `shared/domain/platform-events/catalogue.ts`. */
export const eventTypes = ["run.completed", "run.failed", "run.cancelled", "run.paused"] as const;
export type EventType = (typeof eventTypes)[number];
export const EventType = v.picklist(eventTypes);

/** Sent when somebody tests an endpoint; nobody can ask for it. */
export const PING = "ping";

/** Every type that a message may have. */
export const SentEventType = v.picklist([...eventTypes, PING]);
export type SentEventType = v.InferOutput<typeof SentEventType>;
