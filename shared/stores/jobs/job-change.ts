import { stepOfJob } from "../../domain/platform-events/catalogue.ts";
import type { JobStatus } from "../../schemas/queue/queue-job.ts";
import type { Change } from "../outbox/change-event.ts";
import type { StoredJob } from "./job-item.ts";

/**
 * What is published of a job that moves to another status. That it is running is published as its run becomes RUNNING, and not with the
 * claim, which is one write and stays one.
 *
 * @param now  epoch seconds
 */
export const jobChange = (
  { id, owner, session_id, component_type, component_id, attempt, max_attempts }: StoredJob,
  status: JobStatus,
  now: number,
): Change => ({
  type: `job.${status}`,
  id,
  owner,
  component: { type: component_type, id: component_id },
  step: stepOfJob(`job.${status}`, attempt),
  facts: { run_id: id, session_id, status, attempt, max_attempts },
  now,
});
