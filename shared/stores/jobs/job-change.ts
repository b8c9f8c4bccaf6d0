import type { JobStatus } from "../../schemas/queue/queue-job.ts";
import type { Change } from "../outbox/change-event.ts";
import type { StoredJob } from "./job-item.ts";

type ToldStatus = Exclude<JobStatus, "running">;

/**
 * What is told of a job that moves to another status. A claim is not told: it is one write, and stays one.
 *
 * @param now  epoch seconds
 */
export const jobChange = (
  { id, owner, session_id, component_type, component_id, attempt, max_attempts }: StoredJob,
  status: ToldStatus,
  now: number,
): Change => ({
  type: `job.${status}`,
  id,
  owner,
  component: { type: component_type, id: component_id },
  facts: { run_id: id, session_id, status, attempt, max_attempts },
  now,
});
