import { whole } from "../forms.ts";
import type { Settings } from "../setting.ts";

/** Partitions of each status in the index of jobs, unless set, and most that may be set. */
export const JOB_INDEX_SHARDS = 4;
export const MAX_JOB_INDEX_SHARDS = 64;
/** Partitions of the indexes of all runs, sessions and traces, and of each component's, unless set, and most that may be set. */
export const RUN_INDEX_SHARDS = 4;
const MAX_RUN_INDEX_SHARDS = 64;

/** How records are kept, which every function with stores reads. */
export const storage = {
  /**
   * partitions of each status in the index of jobs; each takes some 500 runs a second, and every count of the queue
   * reads all of them. The counters of ended jobs and the live jobs of one user have more partitions with it too
   * ([how far it scales](scale.md#what-one-partition-takes))
   */
  job_index_shards: {
    variable: "JOB_INDEX_SHARDS",
    form: whole(1, MAX_JOB_INDEX_SHARDS),
    default: String(JOB_INDEX_SHARDS),
  },
  /**
   * partitions of the indexes of everybody's runs, sessions and traces, and of each component's runs and traces; each takes 1,000 new ones
   * a second, and every list over them reads all. Never set a lower number than before: what lies beyond would be missing in these lists
   * ([how far it scales](scale.md#what-one-partition-takes))
   */
  run_index_shards: {
    variable: "RUN_INDEX_SHARDS",
    form: whole(RUN_INDEX_SHARDS, MAX_RUN_INDEX_SHARDS),
    default: String(RUN_INDEX_SHARDS),
  },
  /** days an event and its deliveries to receivers are kept, where `webhooks` is on */
  delivery_retention_days: {
    // Tries of a delivery last a day.
    variable: "DELIVERY_RETENTION_DAYS",
    form: whole(2, 400),
    default: "30",
  },
  /** days a record of the audit is kept; deleting sessions or users does not touch it */
  auditRetentionDays: { variable: "AUDIT_RETENTION_DAYS", form: whole(1, 3653), default: "400" },
} as const satisfies Settings;
