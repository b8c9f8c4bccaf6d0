import { ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import { requireQueue } from "../../shared/queue/run-queue.ts";
import type { queueRoutes } from "../../shared/routes/queue.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { MAX_JOB_FILTER_CHARS } from "../../shared/schemas/queue/job-selection.ts";
import {
  type JobSortField,
  type JobStatus,
  jobSortFields,
  jobStatuses,
} from "../../shared/schemas/queue/queue-job.ts";
import { MAX_SESSION_ID_CHARS } from "../../shared/schemas/sessions/session-id.ts";
import { fitsKey } from "../../shared/schemas/values/key-text.ts";
import { charsIn } from "../../shared/schemas/values/max-chars.ts";
import { pageMeta } from "../../shared/schemas/values/page.ts";
import { wireJob } from "../../shared/stores/jobs/job-item.ts";
import { listJobs as findJobs } from "../../shared/stores/jobs/list-jobs.ts";
import type { QueueDeps } from "./queue-deps.ts";

type Needs = Pick<QueueDeps, "db" | "clock" | "settings">;

/** @source docs/interface/queue.md 6.2 */
export const listJobs: Handler<typeof queueRoutes.listJobs, Needs> = async (
  { query },
  { db, clock, settings },
) => {
  const { page, limit, sort_order, created_after, created_before } = query;
  const given = (name: "user_id" | "component_id" | "error_contains") =>
    query[name] === undefined ? undefined : requireValue(name, query[name]);
  const filter = {
    statuses: statusesOf(query.status),
    page,
    limit,
    sort_order,
    sort_by: sortFieldOf(query.sort_by),
    session_ids: query.session_id?.map(requireSessionId),
    user_id: given("user_id"),
    component_id: given("component_id"),
    error_contains: given("error_contains"),
    created_after,
    created_before,
  };
  requireQueue(settings);
  const startedAt = clock.now();
  const { jobs, total } = await findJobs(db, filter, epochSeconds(clock));
  return { data: jobs.map(wireJob), meta: pageMeta(page, limit, total, clock.now() - startedAt) };
};

function statusesOf(names: readonly string[]): readonly JobStatus[] {
  const unknown = names.find((status) => !(jobStatuses as readonly string[]).includes(status));
  if (unknown !== undefined) {
    throw new ServiceError("BAD_REQUEST", `unknown status ${unknown}; known are ${jobStatuses.join(", ")}`);
  }
  return names.length === 0 ? jobStatuses : [...new Set(names as JobStatus[])];
}

/** An empty filter is refused: taken for none, it would answer the jobs of everybody. */
function requireValue(name: string, value: string, maxChars = MAX_JOB_FILTER_CHARS): string {
  if (value.trim() === "") throw new ServiceError("BAD_REQUEST", `${name} must not be empty`);
  if (charsIn(value) > maxChars)
    throw new ServiceError("BAD_REQUEST", `${name} may have at most ${maxChars} characters`);
  return value;
}

/** One that no session can have is refused, as in all other routes. */
function requireSessionId(id: string): string {
  requireValue("session_id", id, MAX_SESSION_ID_CHARS);
  if (fitsKey(id)) return id;
  throw new ServiceError("BAD_REQUEST", "session_id must be shorter: it does not fit into a key");
}

/** Unknown sort fields are ignored. */
function sortFieldOf(name: string): JobSortField {
  return jobSortFields.find((field) => field === name) ?? "created_at";
}
