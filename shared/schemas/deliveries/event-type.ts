import * as v from "valibot";

/** Ends and pauses of runs: what a callback may receive, and an endpoint that names no types. */
export const runEventTypes = ["run.completed", "run.failed", "run.cancelled", "run.paused"] as const;
export type RunEventType = (typeof runEventTypes)[number];
export const RunEventType = v.picklist(runEventTypes);

/** The start of a run. It is published only where it is asked for by its name, and on the event bus. */
export const RUN_STARTED = "run.started";

/** Further changes that the event bus has, and endpoints that name them. */
export const changeTypes = [
  "job.queued",
  "job.running",
  "job.paused",
  "job.completed",
  "job.failed",
  "job.cancelled",
  "approval.created",
  "approval.resolved",
  "schedule.created",
  "schedule.updated",
  "schedule.deleted",
  "schedule_run.completed",
  "schedule_run.failed",
  "schedule_run.skipped",
  "evaluation.created",
  "evaluation.completed",
  "evaluation.failed",
  "feedback.created",
  "feedback.updated",
  "feedback.deleted",
] as const;
export type ChangeType = (typeof changeTypes)[number];

/** Events that receivers may ask for. What the data of each holds: `shared/domain/platform-events.ts`. */
export const eventTypes = [...runEventTypes, RUN_STARTED, ...changeTypes] as const;
export type EventType = (typeof eventTypes)[number];
export const EventType = v.picklist(eventTypes);

/** Sent when a user tests an endpoint; none can subscribe to it. */
export const PING = "ping";

/** Every type that a message may have. */
export const SentEventType = v.picklist([...eventTypes, PING]);
export type SentEventType = v.InferOutput<typeof SentEventType>;
