import type { EventFamily } from "../../../shared/domain/platform-events.ts";
import type { Db } from "../../../shared/stores/db.ts";
import type { ChangeFacts, StoredEvent } from "../../../shared/stores/outbox/index.ts";
import { type BodyOptions, runData } from "./run-data.ts";

/**
 * What is said of an event, whoever receives it. What was said in a run is read from its record now: the outbox holds none of
 * it, and after the run is deleted nothing of it is sent.
 *
 * @param now  epoch seconds
 * @returns    undefined when what it is about was deleted
 */
export async function dataOf(
  db: Db,
  event: StoredEvent,
  options: BodyOptions,
  now: number,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  if (event.run) return runData(db, event, event.run, options, now);
  if (event.change) return changeData(event, event.change);
  return { endpoint_id: event.endpoint_id };
}

/** The name of the id of what has changed, and where it is read, below the address of the service. */
const places: Readonly<
  Record<Exclude<EventFamily, "run">, readonly [string, (id: string, facts: ChangeFacts) => string]>
> = {
  job: ["job_id", (id) => `/queue/jobs/${id}`],
  approval: ["approval_id", (id) => `/approvals/${id}`],
  schedule: ["schedule_id", (id) => `/schedules/${id}`],
  schedule_run: ["schedule_run_id", (id, facts) => `/schedules/${facts.schedule_id}/runs/${id}`],
  feedback: [
    "feedback_id",
    (_, { run_id, session_id }) =>
      `/runs/${run_id}/feedback?session_id=${encodeURIComponent(String(session_id))}`,
  ],
  evaluation: ["eval_run_id", (id) => `/eval-runs/${id}`],
};

/** What a message says of a change: ids, states and times, as they were when it happened. */
function changeData(
  { subject: { kind, id }, owner, occurred_at }: StoredEvent,
  { component, facts }: NonNullable<StoredEvent["change"]>,
) {
  if (kind === "run" || kind === "ping" || kind === "task")
    throw new Error(`no change of a ${kind} is published`);
  const [name, pathOf] = places[kind];
  return {
    [name]: id,
    user_id: owner,
    ...(component && { component }),
    ...facts,
    occurred_at,
    path: pathOf(encodeURIComponent(id), facts),
  };
}
