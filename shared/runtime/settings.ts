import * as v from "valibot";

const number = (bounds: { min: number; max?: number; integer?: boolean }) =>
  v.pipe(
    v.string(),
    v.transform(Number),
    v.check((n) => Number.isFinite(n), "must be a number"),
    v.minValue(bounds.min, `must be at least ${bounds.min}`),
    v.maxValue(bounds.max ?? Number.MAX_SAFE_INTEGER, `must be at most ${bounds.max}`),
    v.check((n) => bounds.integer !== true || Number.isInteger(n), "must be a whole number"),
  );

export type QueueSetting = {
  readonly schema: v.GenericSchema<string, number>;
  readonly default: string;
  /** The default where it depends on other settings, in place of the fixed one; whole numbers. */
  readonly derived?: (of: Readonly<Record<string, string>>) => number;
  readonly meaning: string;
};

/**
 * Settings of the durable queue and of what runs may spend. Each is an environment variable of its functions and, in
 * lower case, a context value of the CDK app. The docs' settings page is generated from this table.
 *
 * @source contract, runs-and-queue 10.1
 */
export const queueSettings = {
  LOCK_GRACE_SECONDS: {
    schema: number({ min: 3 }),
    default: "60",
    meaning: "how long a silent worker may be alive; its lock is stale after that",
  },
  MAX_ATTEMPTS: {
    schema: number({ min: 1, integer: true }),
    default: "1",
    meaning: "executions of a job under any failure; a requeue adds one",
  },
  RETRY_BASE_DELAY_SECONDS: {
    schema: number({ min: 0, max: 90 }),
    default: "30",
    meaning: "base of the random, doubling wait before a retry, ten times this at most",
  },
  EXECUTION_TIMEOUT_SECONDS: {
    schema: number({ min: 1, max: 86_400 }),
    default: "3600",
    meaning: "longest time one execution of a run may take",
  },
  SLICE_SECONDS: {
    schema: number({ min: 1, max: 780 }),
    default: "780",
    meaning: "after this a run moves to another worker function at its next step; a function lives 900",
  },
  MAX_QUEUE_DEPTH: {
    schema: number({ min: 0, integer: true }),
    default: "1000",
    meaning: "queued jobs above which submissions get 429; 0 switches it off",
  },
  MAX_QUEUED_PER_USER: {
    schema: number({ min: 0, integer: true }),
    default: "200",
    derived: ({ MAX_QUEUE_DEPTH }) => Math.ceil(Number(MAX_QUEUE_DEPTH) / 5),
    meaning:
      "queued jobs of one user above which submissions get 429; unless set, a fifth of MAX_QUEUE_DEPTH; not for admins; 0 switches it off",
  },
  MAX_RUNNING_PER_USER: {
    schema: number({ min: 0, integer: true }),
    default: "160",
    derived: ({ WORKER_CONCURRENCY, WORKER_BATCH_SIZE }) =>
      Math.ceil((Number(WORKER_CONCURRENCY) * Number(WORKER_BATCH_SIZE)) / 2),
    meaning:
      "queued runs of one user executed at once, as well as an index can tell; unless set, half of the slots (WORKER_CONCURRENCY × WORKER_BATCH_SIZE); 0 switches it off",
  },
  MAX_FOREGROUND_PER_USER: {
    schema: number({ min: 0, max: 100_000, integer: true }),
    default: "10",
    meaning:
      "waiting and streamed runs of one user or service account at a time; one more gets 429; not for admins; 0 switches it off",
  },
  PAUSE_LIFE_SECONDS: {
    schema: number({ min: 0, integer: true }),
    default: "2592000",
    meaning: "how long a queued run may wait for a person before it is cancelled; 0 is for ever",
  },
  JOB_RETENTION_SECONDS: {
    schema: number({ min: 60, integer: true }),
    default: "86400",
    meaning: "how long a job stays visible after its end, rounded up to an hour",
  },
  APPROVAL_EXPIRES_SECONDS: {
    schema: number({ min: 0, integer: true }),
    default: "0",
    meaning: "how long an approval may be pending before its run is cancelled; 0 is for ever",
  },
  WORKER_CONCURRENCY: {
    schema: number({ min: 2, max: 1000, integer: true }),
    default: "32",
    meaning: "most worker functions at once (the event source's maximum concurrency)",
  },
  WORKER_BATCH_SIZE: {
    schema: number({ min: 1, max: 10, integer: true }),
    default: "10",
    meaning: "most runs that one worker function executes side by side",
  },
  RUN_PIN_DAYS: {
    schema: number({ min: 0, max: 365, integer: true }),
    default: "2",
    meaning:
      "days that a replaced version of the worker is kept, so that runs which began with it go on with it; after that they go on with the current one only if their component's declared `revision` is the same, else they fail; 0 keeps none, and every run goes on with the current code",
  },
  DAILY_TOKENS_PER_USER: {
    schema: number({ min: 0, integer: true }),
    default: "0",
    meaning:
      "tokens that runs of one user may use in a day (UTC); a run without room pauses and asks; 0 switches it off",
  },
  DAILY_COST_PER_USER: {
    schema: number({ min: 0 }),
    default: "0",
    meaning: "dollars that runs of one user may cost in a day (UTC), by MODEL_PRICES; 0 switches it off",
  },
  MIGRATION_UNITS_PER_SECOND: {
    schema: number({ min: 1 }),
    default: "400",
    meaning: "read and write units a second that a migration of the database may take",
  },
  TRACE_SAMPLE_RATIO: {
    schema: number({ min: 0, max: 1 }),
    default: "1",
    meaning: "share of runs that are traced, where `tracing` is on; a run is traced whole or not at all",
  },
  TRACE_RETENTION_DAYS: {
    schema: number({ min: 1, max: 400, integer: true }),
    default: "30",
    meaning: "days a trace is kept after the one on which its run began",
  },
} as const satisfies Record<string, QueueSetting>;

export type QueueSettingName = keyof typeof queueSettings;

type SettingEntries<K extends QueueSettingName> = {
  [N in K]: v.OptionalSchema<(typeof queueSettings)[N]["schema"], string>;
};

/** Entries for a function's environment schema: each setting optional, with its default and bounds. */
export function settingEntries<const K extends QueueSettingName>(...names: K[]): SettingEntries<K> {
  const entries = names.map((name) => {
    const setting: QueueSetting = queueSettings[name];
    return [name, v.optional(setting.schema, setting.default)];
  });
  return Object.fromEntries(entries) as SettingEntries<K>;
}
