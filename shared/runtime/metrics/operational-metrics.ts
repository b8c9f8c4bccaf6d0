/** Namespace in CloudWatch of what functions measure. */
export const METRIC_NAMESPACE = "AgentPlatform";

/** The one dimension that every figure has: its deployment. CloudWatch charges for every further value. */
export const serviceOf = (stage: string): string => `agent-platform-${stage}`;

/** What is measured, with the unit that CloudWatch knows it in. */
export const operationalMetrics = {
  /** Runs that ended or paused, by how. */
  RunsCompleted: "Count",
  RunsFailed: "Count",
  RunsCancelled: "Count",
  RunsPaused: "Count",
  /** Executions that failed, also those that are tried again; with a cause. */
  Failures: "Count",
  /** Those of them that failed at a model: its service answered with an error, or refused the call. */
  FailedAtModels: "Count",
  /** Workers that ended without a word while they had work in hand; the kind of the work is in the log. */
  Crashes: "Count",
  /** Calls that DynamoDB refused because there were too many, each attempt of a call by itself. */
  TableThrottles: "Count",
  /** From the start of a run to its end, pauses left out. */
  RunSeconds: "Seconds",
  /** From the moment at which a job was due until a worker claimed it. */
  QueueWaitSeconds: "Seconds",
  InputTokens: "Count",
  OutputTokens: "Count",
  /** Of the input: what was read from the cache of a model's service, and written to it. */
  CacheReadTokens: "Count",
  CacheWriteTokens: "Count",
  /** Dollars, where prices are configured. */
  Cost: "None",
  /** What was spent of a daily budget, from 80 percent on. */
  DailyBudgetPercent: "None",
  /** What the sweeper finds once a minute, if there is anything. */
  QueuedJobs: "Count",
  RunningJobs: "Count",
  OldestQueuedSeconds: "Seconds",
  /** For how long work has been due that no worker has claimed, runs among it, where that is for minutes. */
  OverdueWorkSeconds: "Seconds",
  /** Endpoints that were disabled because they accepted nothing for days, or asked for it. */
  EndpointsDisabled: "Count",
  /** Events whose delivery failed in all its tries. */
  UndeliveredEvents: "Count",
  /** Answers that a chat platform did not take for a day; each belongs to one message. */
  UndeliveredAnswers: "Count",
  /** Malformed form fields that were ignored, because this wire does not refuse them. */
  DroppedFormFields: "Count",
} as const satisfies Record<string, "Count" | "Seconds" | "None">;
export type OperationalMetric = keyof typeof operationalMetrics;

/**
 * Why executions fail: what an execution reports itself, and what others find.
 *
 *   crash        its worker stopped sending heartbeats
 *   undelivered  no worker could receive its message
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
