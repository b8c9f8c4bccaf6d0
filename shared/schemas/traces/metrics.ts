import * as v from "valibot";
import { fault } from "../values/fields.ts";

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** Tokens of a day's sessions and of judges; all nine are always present. */
export const TokenMetrics = v.object({
  input_tokens: count,
  output_tokens: count,
  total_tokens: count,
  audio_total_tokens: count,
  audio_input_tokens: count,
  audio_output_tokens: count,
  cache_read_tokens: count,
  cache_write_tokens: count,
  reasoning_tokens: count,
});
export type TokenMetrics = v.InferOutput<typeof TokenMetrics>;

/**
 * Runs of one model on a day.
 *
 * @decided tokens and cost are ours: the wire counts only runs
 */
export const ModelMetrics = v.object({
  model_id: v.string(),
  model_provider: v.string(),
  count,
  input_tokens: count,
  output_tokens: count,
  total_tokens: count,
  /** Dollars; absent if the model has no price. */
  cost: v.optional(v.number()),
});
export type ModelMetrics = v.InferOutput<typeof ModelMetrics>;

/** Of a day; null where nothing is limited. */
const Spent = v.object({ limit: v.nullable(v.number()), used: v.number() });
const Budget = v.object({ tokens: v.object({ limit: v.nullable(count), used: count }), cost: Spent });

/** What may be spent in a day, and what was; costs are dollars. @decided ours */
export const Budgets = v.object({
  /** In UTC, such as `2026-11-21`. */
  day: v.string(),
  /** Of the user behind the caller, or of the one that an admin names. */
  user: Budget,
  /** Of all users together; null for whoever is no admin. */
  deployment: v.nullable(Budget),
});

/** Runs, and what they used. @decided ours */
const usage = {
  runs: count,
  input_tokens: count,
  output_tokens: count,
  total_tokens: count,
  /** Dollars; absent if no model has a price. */
  cost: v.optional(v.number()),
};
/** Of those who used the least: so many together are one entry, without an id. */
const others = v.optional(count);

/** What the runs of a component used; what its members and steps used is theirs. */
export const ComponentMetrics = v.object({
  component_type: v.nullable(v.picklist(["agent", "team", "workflow"])),
  component_id: v.nullable(v.string()),
  others,
  ...usage,
});
export type ComponentMetrics = v.InferOutput<typeof ComponentMetrics>;

/** What the runs of a user used; `user_id` is null for runs without a user too. */
export const UserMetrics = v.object({ user_id: v.nullable(v.string()), others, ...usage });
export type UserMetrics = v.InferOutput<typeof UserMetrics>;

/** The evaluations of a day, and what their judges used. Their runs are runs as others are. */
export const EvaluationMetrics = v.object({
  evaluations: count,
  /** Of these: judge a run that a user asked for, and how many of those ended in which way. */
  online: count,
  online_passed: count,
  online_not_passed: count,
  online_failed: count,
  judge_calls: count,
  input_tokens: count,
  output_tokens: count,
  total_tokens: count,
  cost: v.optional(v.number()),
});
export type EvaluationMetrics = v.InferOutput<typeof EvaluationMetrics>;

/** Feedback of a key on the day's runs: how much there is, and the sum of its scores. */
export const FeedbackMetrics = v.object({ key: v.string(), count, sum: v.number() });

/** The figures of a day. */
export const dayFigures = {
  agent_sessions_count: count,
  team_sessions_count: count,
  workflow_sessions_count: count,
  agent_runs_count: count,
  team_runs_count: count,
  workflow_runs_count: count,
  users_count: count,
  token_metrics: TokenMetrics,
  model_metrics: v.array(ModelMetrics),
  /** Ours: dollars, over the models that have a price; absent if none has. */
  cost: v.optional(v.number()),
  /** Ours, the most used first; absent in days that were computed by an older release. */
  component_metrics: v.optional(v.array(ComponentMetrics)),
  user_metrics: v.optional(v.array(UserMetrics)),
  evaluation_metrics: v.optional(EvaluationMetrics),
  /** The most used keys first, a hundred at most. */
  feedback_metrics: v.optional(v.array(FeedbackMetrics)),
};
const DayFigures = v.object(dayFigures);
export type DayFigures = v.InferOutput<typeof DayFigures>;

/** One day's figures as the wire shows them; instants are ISO 8601 in UTC. */
export const MetricsDay = v.object({
  id: v.string(),
  /** Midnight. */
  date: v.string(),
  ...dayFigures,
  created_at: v.string(),
  updated_at: v.string(),
});
export type MetricsDay = v.InferOutput<typeof MetricsDay>;

export const Metrics = v.object({
  /** By date, the oldest first. */
  metrics: v.array(MetricsDay),
  /** That of the newest of all stored days; null when no day is shown. */
  updated_at: v.nullable(v.string()),
});

const seconds = v.optional(v.number());

/**
 * Figures of runs by one thing. Runs of members and steps are counted as runs of their own; what is named depends on what it is
 * broken down by. Percentiles are seconds of execution, without waiting, at most 8 % off; of a tool, of its calls.
 */
export const BreakdownRow = v.object({
  component_type: v.optional(v.picklist(["agent", "team", "workflow"])),
  component_id: v.optional(v.string()),
  /** Null for what code declares. */
  version: v.optional(v.nullable(v.number())),
  model_provider: v.optional(v.string()),
  model_id: v.optional(v.string()),
  tool: v.optional(v.string()),
  /** Null for runs without a user. */
  user_id: v.optional(v.nullable(v.string())),
  /** In UTC. */
  day: v.optional(v.string()),
  /** True for all that a day had no room for, together. */
  others: v.optional(v.literal(true)),
  runs: count,
  errors: count,
  input_tokens: count,
  output_tokens: count,
  total_tokens: count,
  /** Part of the input that was read from caches. */
  cache_hit_rate: v.optional(v.number()),
  /** Dollars; absent if no model has a price. */
  cost: v.optional(v.number()),
  cost_per_run: v.optional(v.number()),
  tool_calls: count,
  tool_errors: count,
  /** Feedback `thumb` on its runs; of a tool, on the runs that called it. */
  thumbs: v.object({ up: count, down: count }),
  /** Runs on which a judge has given its verdict. */
  judged: count,
  /** Part of these that passed; absent if there are none. */
  pass_rate: v.optional(v.number()),
  p50: seconds,
  p90: seconds,
  p95: seconds,
  p99: seconds,
});

export const MetricsBreakdown = v.object({
  /** Most runs first; days in their order. */
  data: v.array(BreakdownRow),
  meta: v.object({
    by: v.string(),
    from: v.string(),
    to: v.string(),
    /** Those of the range that have figures: earlier releases computed none. */
    days: v.array(v.string()),
    total_count: count,
  }),
});

/** The current or last refresh. */
export const RefreshStatus = v.object({
  status: v.picklist(["idle", "running", "completed", "failed"]),
  started_at: v.nullable(v.string()),
  finished_at: v.nullable(v.string()),
  error: v.nullable(v.string()),
});
export type RefreshStatus = v.InferOutput<typeof RefreshStatus>;

export const RefreshAccepted = v.object({
  status: v.picklist(["started", "already_running"]),
  message: v.string(),
});

const CALENDAR_DAY = /^(\d{4}-\d{2}-\d{2})([T ]00:00(:00(\.0+)?)?(Z|[+-]00:?00)?)?$/;

/** A day as text, also as the instant of its midnight; parsed to `YYYY-MM-DD`. */
export function dayText() {
  return v.pipe(
    v.string(),
    v.rawTransform<string, string>(({ dataset, addIssue, NEVER }) => {
      const day = CALENDAR_DAY.exec(dataset.value)?.[1];
      if (day !== undefined && isDay(day)) return day;
      addIssue({ message: fault("date_from_datetime_parsing", "Input should be a valid date") });
      return NEVER;
    }),
    v.metadata({ jsonSchema: { type: "string", format: "date" } }),
  );
}

/** Refuses February 30th, which `Date` would parse as a day of March. */
function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}
