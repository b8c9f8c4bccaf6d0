import { number, whole } from "../forms.ts";
import type { Settings } from "../setting.ts";

/**
 * Limits and times of runs, and what they may spend.
 *
 * @source docs/interface/queue.md 1.1
 */
export const runs = {
  /** how long a silent worker may be alive; its lock is stale after that */
  lock_grace_seconds: { variable: "LOCK_GRACE_SECONDS", form: number({ min: 3 }), default: "60" },
  /** executions of a job under any failure; a requeue adds one */
  max_attempts: { variable: "MAX_ATTEMPTS", form: whole(1), default: "1" },
  /** base of the random, doubling wait before a retry, ten times this at most */
  retry_base_delay_seconds: {
    variable: "RETRY_BASE_DELAY_SECONDS",
    form: number({ min: 0, max: 90 }),
    default: "30",
  },
  /** longest time one execution of a run may take */
  execution_timeout_seconds: {
    variable: "EXECUTION_TIMEOUT_SECONDS",
    form: number({ min: 1, max: 86_400 }),
    default: "3600",
  },
  /** after this a run moves to another worker function at its next step; a function lives 900 */
  slice_seconds: { variable: "SLICE_SECONDS", form: number({ min: 1, max: 780 }), default: "780" },
  /** queued jobs above which submissions get 429; 0 switches it off */
  max_queue_depth: { variable: "MAX_QUEUE_DEPTH", form: whole(0), default: "1000" },
  /**
   * queued jobs of one user above which submissions get 429; unless set, a fifth of MAX_QUEUE_DEPTH; not for admins;
   * 0 switches it off
   */
  max_queued_per_user: {
    variable: "MAX_QUEUED_PER_USER",
    form: whole(0),
    default: "200",
    derived: ({ MAX_QUEUE_DEPTH }) => Math.ceil(Number(MAX_QUEUE_DEPTH) / 5),
  },
  /**
   * queued runs of one user executed at once, as far as an index shows; unless set, half of the slots
   * (WORKER_CONCURRENCY × WORKER_BATCH_SIZE); 0 switches it off
   */
  max_running_per_user: {
    variable: "MAX_RUNNING_PER_USER",
    form: whole(0),
    default: "160",
    derived: ({ WORKER_CONCURRENCY, WORKER_BATCH_SIZE }) =>
      Math.ceil((Number(WORKER_CONCURRENCY) * Number(WORKER_BATCH_SIZE)) / 2),
  },
  /**
   * waiting and streamed runs of one user or service account at a time; one more gets 429; not for admins; 0 switches
   * it off
   */
  max_foreground_per_user: { variable: "MAX_FOREGROUND_PER_USER", form: whole(0, 100_000), default: "10" },
  /**
   * waiting and streamed runs of all callers together at a time; one more gets 429 or goes to the queue by
   * background=true; 0 switches it off
   */
  max_foreground: {
    variable: "MAX_FOREGROUND",
    form: whole(0, 10_000),
    default: { otherwise: "500", development: "0" },
  },
  /** how long a queued run may wait for a person before it is cancelled; 0 is for ever */
  pause_life_seconds: { variable: "PAUSE_LIFE_SECONDS", form: whole(0), default: "2592000" },
  /** how long a job stays visible after its end, rounded up to an hour */
  job_retention_seconds: {
    // Whoever develops looks for what happened days ago, and stores little.
    variable: "JOB_RETENTION_SECONDS",
    form: whole(60),
    default: { otherwise: "86400", development: "604800" },
  },
  /** how long an approval may be pending before its run is cancelled; 0 is for ever */
  approval_expires_seconds: { variable: "APPROVAL_EXPIRES_SECONDS", form: whole(0), default: "0" },
  /** most worker functions at once (the event source's maximum concurrency); more than 1,000 need `queuePollers` */
  worker_concurrency: { variable: "WORKER_CONCURRENCY", form: whole(2, 20_000), default: "32" },
  /** most runs that one worker function executes side by side */
  worker_batch_size: { variable: "WORKER_BATCH_SIZE", form: whole(1, 10), default: "10" },
  /**
   * days that a replaced version of the worker is kept, so that runs which began with it continue with it; after that
   * they continue with the current one only if their component's declared `revision` is the same, else they fail; 0
   * keeps none, and every run continues with the current code
   */
  run_pin_days: { variable: "RUN_PIN_DAYS", form: whole(0, 365), default: "2" },
  /** tokens that runs of one user may use in a day (UTC); a run without room pauses and asks; 0 switches it off */
  daily_tokens_per_user: { variable: "DAILY_TOKENS_PER_USER", form: whole(0), default: "0" },
  /**
   * dollars that runs of one user may cost in a day (UTC), by MODEL_PRICES; a model without a price counts as $15 a million
   * tokens of input and $75 of output; a run without room pauses and asks; 0 switches it off
   */
  daily_cost_per_user: {
    variable: "DAILY_COST_PER_USER",
    form: number({ min: 0 }),
    default: { otherwise: "20", development: "0" },
  },
  /** the same for tokens of all users together */
  daily_tokens_per_deployment: { variable: "DAILY_TOKENS_PER_DEPLOYMENT", form: whole(0), default: "0" },
  /** the same for dollars of all users together */
  daily_cost_per_deployment: {
    variable: "DAILY_COST_PER_DEPLOYMENT",
    form: number({ min: 0 }),
    default: { otherwise: "200", development: "0" },
  },
  /** read and write units a second that a migration of the database may take */
  migration_units_per_second: {
    variable: "MIGRATION_UNITS_PER_SECOND",
    form: number({ min: 1 }),
    default: "400",
  },
  /** share of runs that are traced, where `tracing` is on; a run is traced whole or not at all */
  trace_sample_ratio: { variable: "TRACE_SAMPLE_RATIO", form: number({ min: 0, max: 1 }), default: "1" },
  /** days a trace is kept after the one on which its run began */
  trace_retention_days: { variable: "TRACE_RETENTION_DAYS", form: whole(1, 400), default: "30" },
} as const satisfies Settings;
