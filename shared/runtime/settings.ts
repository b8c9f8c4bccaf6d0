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
  /** The default with `npm start` and on stage `dev`, where it differs. */
  readonly development?: string;
  /** The default where it depends on other settings, in place of the fixed one; whole numbers. */
  readonly derived?: (of: Readonly<Record<string, string>>) => number;
};

/** Partitions of each status in the index of jobs, unless set, and most that may be set. */
export const JOB_INDEX_SHARDS = 4;
export const MAX_JOB_INDEX_SHARDS = 64;

/**
 * Settings of the durable queue and of what runs may spend. Each is an environment variable of its functions and, in
 * lower case, a context value of the CDK app. The docs' settings page is generated from this table, and from what
 * `scripts/queue-setting-meanings.ts` says of each.
 *
 * @source contract, runs-and-queue 10.1
 */
export const queueSettings = {
  LOCK_GRACE_SECONDS: {
    schema: number({ min: 3 }),
    default: "60",
  },
  MAX_ATTEMPTS: {
    schema: number({ min: 1, integer: true }),
    default: "1",
  },
  RETRY_BASE_DELAY_SECONDS: {
    schema: number({ min: 0, max: 90 }),
    default: "30",
  },
  EXECUTION_TIMEOUT_SECONDS: {
    schema: number({ min: 1, max: 86_400 }),
    default: "3600",
  },
  SLICE_SECONDS: {
    schema: number({ min: 1, max: 780 }),
    default: "780",
  },
  MAX_QUEUE_DEPTH: {
    schema: number({ min: 0, integer: true }),
    default: "1000",
  },
  MAX_QUEUED_PER_USER: {
    schema: number({ min: 0, integer: true }),
    default: "200",
    derived: ({ MAX_QUEUE_DEPTH }) => Math.ceil(Number(MAX_QUEUE_DEPTH) / 5),
  },
  MAX_RUNNING_PER_USER: {
    schema: number({ min: 0, integer: true }),
    default: "160",
    derived: ({ WORKER_CONCURRENCY, WORKER_BATCH_SIZE }) =>
      Math.ceil((Number(WORKER_CONCURRENCY) * Number(WORKER_BATCH_SIZE)) / 2),
  },
  MAX_FOREGROUND_PER_USER: {
    schema: number({ min: 0, max: 100_000, integer: true }),
    default: "10",
  },
  PAUSE_LIFE_SECONDS: {
    schema: number({ min: 0, integer: true }),
    default: "2592000",
  },
  JOB_RETENTION_SECONDS: {
    schema: number({ min: 60, integer: true }),
    default: "86400",
    // Whoever develops looks for what happened days ago, and stores little.
    development: "604800",
  },
  APPROVAL_EXPIRES_SECONDS: {
    schema: number({ min: 0, integer: true }),
    default: "0",
  },
  JOB_INDEX_SHARDS: {
    schema: number({ min: 1, max: MAX_JOB_INDEX_SHARDS, integer: true }),
    default: String(JOB_INDEX_SHARDS),
  },
  WORKER_CONCURRENCY: {
    schema: number({ min: 2, max: 1000, integer: true }),
    default: "32",
  },
  WORKER_BATCH_SIZE: {
    schema: number({ min: 1, max: 10, integer: true }),
    default: "10",
  },
  RUN_PIN_DAYS: {
    schema: number({ min: 0, max: 365, integer: true }),
    default: "2",
  },
  DAILY_TOKENS_PER_USER: {
    schema: number({ min: 0, integer: true }),
    default: "0",
  },
  DAILY_COST_PER_USER: {
    schema: number({ min: 0 }),
    default: "0",
  },
  MIGRATION_UNITS_PER_SECOND: {
    schema: number({ min: 1 }),
    default: "400",
  },
  TRACE_SAMPLE_RATIO: {
    schema: number({ min: 0, max: 1 }),
    default: "1",
  },
  TRACE_RETENTION_DAYS: {
    schema: number({ min: 1, max: 400, integer: true }),
    default: "30",
  },
  // Tries of a delivery last a day.
  DELIVERY_RETENTION_DAYS: {
    schema: number({ min: 2, max: 400, integer: true }),
    default: "30",
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
