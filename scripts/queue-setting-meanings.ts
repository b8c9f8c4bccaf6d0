import type { QueueSettingName } from "../shared/runtime/settings.ts";

/** What the settings of the queue mean: for the settings page. The functions that read the settings do not carry it. */
export const queueSettingMeanings: Readonly<Record<QueueSettingName, string>> = {
  LOCK_GRACE_SECONDS: "how long a silent worker may be alive; its lock is stale after that",
  MAX_ATTEMPTS: "executions of a job under any failure; a requeue adds one",
  RETRY_BASE_DELAY_SECONDS: "base of the random, doubling wait before a retry, ten times this at most",
  EXECUTION_TIMEOUT_SECONDS: "longest time one execution of a run may take",
  SLICE_SECONDS: "after this a run moves to another worker function at its next step; a function lives 900",
  MAX_QUEUE_DEPTH: "queued jobs above which submissions get 429; 0 switches it off",
  MAX_QUEUED_PER_USER:
    "queued jobs of one user above which submissions get 429; unless set, a fifth of MAX_QUEUE_DEPTH; not for admins; 0 switches it off",
  MAX_RUNNING_PER_USER:
    "queued runs of one user executed at once, as well as an index can tell; unless set, half of the slots (WORKER_CONCURRENCY × WORKER_BATCH_SIZE); 0 switches it off",
  MAX_FOREGROUND_PER_USER:
    "waiting and streamed runs of one user or service account at a time; one more gets 429; not for admins; 0 switches it off",
  PAUSE_LIFE_SECONDS: "how long a queued run may wait for a person before it is cancelled; 0 is for ever",
  JOB_RETENTION_SECONDS: "how long a job stays visible after its end, rounded up to an hour",
  APPROVAL_EXPIRES_SECONDS: "how long an approval may be pending before its run is cancelled; 0 is for ever",
  JOB_INDEX_SHARDS:
    "partitions of each status in the index of jobs; each takes some 500 runs a second, and every count of the queue reads all of them (docs/scale.md)",
  WORKER_CONCURRENCY: "most worker functions at once (the event source's maximum concurrency)",
  WORKER_BATCH_SIZE: "most runs that one worker function executes side by side",
  RUN_PIN_DAYS:
    "days that a replaced version of the worker is kept, so that runs which began with it go on with it; after that they go on with the current one only if their component's declared `revision` is the same, else they fail; 0 keeps none, and every run goes on with the current code",
  DAILY_TOKENS_PER_USER:
    "tokens that runs of one user may use in a day (UTC); a run without room pauses and asks; 0 switches it off",
  DAILY_COST_PER_USER:
    "dollars that runs of one user may cost in a day (UTC), by MODEL_PRICES; 0 switches it off",
  MIGRATION_UNITS_PER_SECOND: "read and write units a second that a migration of the database may take",
  TRACE_SAMPLE_RATIO:
    "share of runs that are traced, where `tracing` is on; a run is traced whole or not at all",
  TRACE_RETENTION_DAYS: "days a trace is kept after the one on which its run began",
  DELIVERY_RETENTION_DAYS: "days an event and its deliveries to receivers are kept, where `webhooks` is on",
};
