import type { JobSortField } from "../../schemas/queue/queue-job.ts";

/** What the index carries of a job: all that lists filter and sort by. */
export type IndexRow = Record<Exclude<JobSortField, "created_at">, string | number | null> & {
  readonly id: string;
  readonly user_id: string | null;
  readonly available_at: number | null;
  readonly created_at: number;
};
