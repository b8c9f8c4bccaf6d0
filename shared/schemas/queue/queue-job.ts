import * as v from "valibot";
import { nullFor } from "../values/described-as.ts";

export const jobStatuses = ["queued", "running", "paused", "completed", "failed", "cancelled"] as const;
export type JobStatus = (typeof jobStatuses)[number];
export const JobStatus = v.picklist(jobStatuses);

export const terminalJobStatuses = ["completed", "failed", "cancelled"] as const satisfies JobStatus[];
export type TerminalJobStatus = (typeof terminalJobStatuses)[number];
export const isTerminal = (status: JobStatus): status is TerminalJobStatus =>
  (terminalJobStatuses as readonly JobStatus[]).includes(status);

/** The request of the run, as the queue stores it for the worker. */
export const JobPayload = v.object({
  input: v.string(),
  kwargs: v.record(v.string(), v.unknown()),
  stream: v.optional(v.literal(true)),
  /** The version of a stored component that the run started with. */
  version: v.optional(v.number()),
  /** Set if only the beginning of a large input is shown; the route of a single job shows all of it. */
  truncated: v.optional(v.literal(true)),
  /** The request that last continued a paused run; replaced as a whole each time. */
  continue: v.optional(
    v.object({
      /** An agent's, a team's and a workflow's answers. */
      updated_tools: v.optional(v.array(v.record(v.string(), v.unknown()))),
      requirements: v.optional(v.array(v.record(v.string(), v.unknown()))),
      step_requirements: v.optional(v.array(v.record(v.string(), v.unknown()))),
      input: v.optional(v.nullable(v.string())),
      continue_from: v.optional(v.string()),
      kwargs: v.record(v.string(), v.unknown()),
    }),
  ),
});
export type JobPayload = v.InferOutput<typeof JobPayload>;

const instant = v.number();
const noInstant = nullFor({ type: "number" });
const base = {
  id: v.string(),
  component_type: v.picklist(["agent", "team", "workflow"]),
  component_id: v.string(),
  session_id: v.string(),
  job_type: v.literal("run"),
  user_id: v.nullable(v.string()),
  payload: JobPayload,
  attempt: v.number(),
  max_attempts: v.number(),
  idempotency_key: v.nullable(v.string()),
  available_at: v.nullable(instant),
  created_at: instant,
  updated_at: v.nullable(instant),
};
const unlocked = { locked_by: nullFor({ type: "string" }), locked_at: noInstant };

/**
 * One durable queue job; it tracks one run and has the run's id.
 *
 * @source docs/interface/queue.md 1.2
 */
export const QueueJob = v.variant("status", [
  v.object({
    ...base,
    ...unlocked,
    status: v.picklist(["queued", "paused"]),
    error: v.nullable(v.string()),
    completed_at: noInstant,
  }),
  v.object({
    ...base,
    status: v.literal("running"),
    locked_by: v.string(),
    locked_at: instant,
    error: v.nullable(v.string()),
    completed_at: noInstant,
  }),
  v.object({
    ...base,
    ...unlocked,
    status: v.literal("completed"),
    error: nullFor({ type: "string" }),
    completed_at: instant,
  }),
  v.object({
    ...base,
    ...unlocked,
    status: v.literal("cancelled"),
    error: v.nullable(v.string()),
    completed_at: instant,
  }),
  v.object({
    ...base,
    ...unlocked,
    status: v.literal("failed"),
    error: v.string(),
    completed_at: instant,
  }),
]);
export type QueueJob = v.InferOutput<typeof QueueJob>;

export const jobSortFields = [
  "created_at",
  "updated_at",
  "completed_at",
  "status",
  "attempt",
  "component_type",
  "component_id",
  "user_id",
] as const;
export type JobSortField = (typeof jobSortFields)[number];

export const QueueStats = v.object({
  counts: v.object({
    queued: v.number(),
    running: v.number(),
    paused: v.number(),
    completed: v.number(),
    failed: v.number(),
    cancelled: v.number(),
  }),
  oldest_queued_age_seconds: v.nullable(v.number()),
  /** What queued jobs wait for: a free slot, their user's share of the slots, a run of their session, or their time. */
  waiting: v.object({
    for_slot: v.number(),
    for_share: v.number(),
    for_session: v.number(),
    until_later: v.number(),
  }),
  /** The ten users with the most queued and running jobs; null where a job has no user. */
  users: v.array(v.object({ user_id: v.nullable(v.string()), queued: v.number(), running: v.number() })),
});
export type QueueStats = v.InferOutput<typeof QueueStats>;
