import type { QueueJob } from "../../schemas/queue/queue-job.ts";

/** What a job must match; what is left out matches every job. */
export type JobFilter = {
  readonly statuses: readonly QueueJob["status"][];
  readonly component_id?: string | undefined;
  readonly user_id?: string | undefined;
  /** Inclusive bounds on the acceptance, epoch seconds. */
  readonly created_after?: number | undefined;
  readonly created_before?: number | undefined;
  /** A part of the error's text, case-sensitive. */
  readonly error_contains?: string | undefined;
};

/** The fields of a filter that an index holds. */
type Indexed = { readonly component_id: unknown; readonly user_id: unknown; readonly created_at: number };

/** Whether a job matches as far as an index with its status shows. */
export function matchesIndexed({ component_id, user_id, created_at }: Indexed, filter: JobFilter): boolean {
  return (
    (filter.component_id === undefined || component_id === filter.component_id) &&
    (filter.user_id === undefined || user_id === filter.user_id) &&
    created_at >= (filter.created_after ?? created_at) &&
    created_at <= (filter.created_before ?? created_at)
  );
}

export const matchesFilter = (job: QueueJob, filter: JobFilter): boolean =>
  filter.statuses.includes(job.status) && matchesIndexed(job, filter) && hasError(job, filter);

export const hasError = ({ error }: Pick<QueueJob, "error">, { error_contains }: JobFilter): boolean =>
  error_contains === undefined || (error?.includes(error_contains) ?? false);
