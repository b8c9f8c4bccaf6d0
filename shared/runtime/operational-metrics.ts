/** Where CloudWatch keeps what functions measure. */
export const METRIC_NAMESPACE = "AgentPlatform";

/** The one dimension that every figure has: which deployment it is of. More would be paid for one by one. */
export const serviceOf = (stage: string): string => `agent-platform-${stage}`;

/** What is measured, with the unit that CloudWatch knows it in. */
export const operationalMetrics = {
  /** Runs that ended, or came to rest, by how. */
  RunsCompleted: "Count",
  RunsFailed: "Count",
  RunsCancelled: "Count",
  RunsPaused: "Count",
  /** Executions that failed, also those that are tried again; with a cause. */
  Failures: "Count",
  /** From the start of a run to its end, pauses left out. */
  RunSeconds: "Seconds",
  /** From the moment at which a job was due to its worker. */
  QueueWaitSeconds: "Seconds",
  InputTokens: "Count",
  OutputTokens: "Count",
  /** Dollars, where prices are configured. */
  Cost: "None",
  /** What the sweeper finds once a minute, where there is something. */
  QueuedJobs: "Count",
  RunningJobs: "Count",
  OldestQueuedSeconds: "Seconds",
  /** Fields of forms that were taken for nothing, because this wire refuses no malformed ones. */
  DroppedFormFields: "Count",
} as const satisfies Record<string, "Count" | "Seconds" | "None">;
export type OperationalMetric = keyof typeof operationalMetrics;

/**
 * Why executions fail: what an execution reports itself, and what others find.
 *
 *   crash        its worker went silent
 *   undelivered  no worker could take its message
 */
export const failureCauses = [
  "input",
  "permission",
  "timeout",
  "throttled",
  "model",
  "tools",
  "internal",
  "crash",
  "undelivered",
] as const;
export type MeteredCause = (typeof failureCauses)[number];
