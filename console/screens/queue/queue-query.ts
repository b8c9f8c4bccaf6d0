import type { Operations, QueueJob } from "../../../client/index.ts";
import { componentOf } from "../../api/use-component-choices.ts";
import { sinceOf } from "../../api/use-filters.ts";

export type Job = QueueJob;
export type JobStatus = Job["status"];
export const jobStatuses = ["queued", "running", "paused", "completed", "failed", "cancelled"] as const;

export const filterNames = ["status", "component", "user", "session", "since", "error", "job"] as const;
export type QueueFilters = Readonly<Record<(typeof filterNames)[number], string>>;

export const statusOf = (text: string): JobStatus | undefined => jobStatuses.find((one) => one === text);

/** What bulk requests filter by; they know no sessions. */
type Selection = Pick<
  NonNullable<Operations["cancelJobs"]["input"]["body"]>,
  "component_id" | "user_id" | "created_after" | "created_before" | "error_contains"
>;

export function selectionOf({ component, user, since, error }: QueueFilters): Selection {
  const chosen = componentOf(component);
  const after = sinceOf(since);
  return {
    ...(chosen && { component_id: chosen.id }),
    ...(user && { user_id: user }),
    ...(after !== undefined && { created_after: after }),
    ...(error && { error_contains: error }),
  };
}

export function listQueryOf(filters: QueueFilters) {
  const status = statusOf(filters.status);
  return {
    ...selectionOf(filters),
    ...(status && { status: [status] }),
    ...(filters.session && { session_id: [filters.session] }),
  };
}

export const isEnded = ({ status }: Job): boolean =>
  status === "completed" || status === "failed" || status === "cancelled";
export const mayRequeue = ({ status }: Job): boolean => status === "failed" || status === "cancelled";
export const mayCancel = ({ status }: Job): boolean =>
  status === "queued" || status === "running" || status === "paused";
