import type { QueueJob } from "../../schemas/queue/queue-job.ts";

/** What a job must match; what is left out matches every job. */
export type JobFilter = {
  readonly statuses: readonly QueueJob["status"][];
  readonly component_id?: string | undefined;
  /** A part of the error's text. */
  readonly error_contains?: string | undefined;
};

export function matchesFilter(job: QueueJob, filter: JobFilter): boolean {
  const { statuses, component_id, error_contains } = filter;
  return (
    statuses.includes(job.status) &&
    (component_id === undefined || job.component_id === component_id) &&
    (error_contains === undefined || (job.error?.includes(error_contains) ?? false))
  );
}
