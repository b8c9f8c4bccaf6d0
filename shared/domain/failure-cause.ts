/** What failed an execution: it decides, in one place, whether trying again can help. */
export type FailureCause = "model" | "tools" | "throttled" | "timeout" | "input" | "internal";
