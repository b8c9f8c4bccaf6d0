import type { ReactNode } from "react";

export type Tone = "good" | "bad" | "warn" | "busy" | "plain";

export function Badge({ tone, children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={tone ? `badge badge-${tone}` : "badge"}>{children}</span>;
}

const runStatuses: Readonly<Record<string, readonly [Tone | undefined, string]>> = {
  PENDING: [undefined, "Waiting"],
  RUNNING: ["busy", "Running"],
  PAUSED: ["warn", "Paused"],
  COMPLETED: ["good", "Completed"],
  ERROR: ["bad", "Failed"],
  CANCELLED: [undefined, "Cancelled"],
  REGENERATED: [undefined, "Replaced"],
  // Of jobs, contents, evaluations and approvals.
  queued: [undefined, "Queued"],
  running: ["busy", "Running"],
  paused: ["warn", "Paused"],
  completed: ["good", "Completed"],
  failed: ["bad", "Failed"],
  cancelled: [undefined, "Cancelled"],
  processing: ["busy", "Processing"],
  pending: ["warn", "Pending"],
  approved: ["good", "Approved"],
  rejected: ["bad", "Rejected"],
  expired: [undefined, "Expired"],
  success: ["good", "Completed"],
  skipped: [undefined, "Skipped"],
  missed: ["warn", "Missed"],
  draft: [undefined, "Draft"],
  published: ["good", "Published"],
};

/** A status of the wire in the reader's words. */
export function Status({ of: status }: { readonly of: string }) {
  const [tone, text] = runStatuses[status] ?? [undefined, status];
  return <Badge {...(tone && { tone })}>{text}</Badge>;
}

/**
 * How far work has come, beside a verdict on it: that it is over is neither good nor bad, and green would contradict what failed.
 */
export function State({ of: state }: { readonly of: string }) {
  const [tone, text] = runStatuses[state] ?? [undefined, state];
  return <Badge {...(tone && tone !== "good" && { tone })}>{text}</Badge>;
}

/** The same words without a badge, for choices. */
export const statusText = (status: string): string => runStatuses[status]?.[1] ?? status;
