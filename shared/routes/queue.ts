import * as v from "valibot";
import { CancelJobsBody, CancelledJobs } from "../schemas/queue/cancel-jobs.ts";
import { MAX_JOB_FILTER_CHARS } from "../schemas/queue/job-selection.ts";
import { jobStatuses, QueueJob, QueueStats } from "../schemas/queue/queue-job.ts";
import { RequeuedJobs, RequeueJobsBody } from "../schemas/queue/requeue-jobs.ts";
import { RunLog } from "../schemas/runs/run-log.ts";
import { MAX_SESSION_ID_CHARS } from "../schemas/sessions/session-id.ts";
import { describedAs, meaning } from "../schemas/values/described-as.ts";
import { booleanText, integerText, optionalText } from "../schemas/values/fields.ts";
import { pageOf, pageQuery } from "../schemas/values/page.ts";
import { idOf } from "../schemas/values/path-ids.ts";
import { created, only, sorting } from "../schemas/values/query-fields.ts";
import type { RouteTable } from "./route.ts";

const LogParams = v.object({ run_id: idOf("the run") });
const JobParams = v.object({ job_id: meaning(v.string(), "Id of the job, which is that of its run") });

/** A filter; the handler refuses a blank or a longer one with 400. */
const filter = v.optional(
  describedAs(v.string(), { type: "string", pattern: "\\S", maxLength: MAX_JOB_FILTER_CHARS }),
);

/** @source docs/interface/queue.md 6.3 */
export const queueRoutes = {
  listJobs: {
    method: "GET",
    path: "/queue/jobs",
    scopes: ["platform:admin"],
    query: v.object({
      /** Checked in the handler: an unknown status answers 400, not 422. */
      status: meaning(
        v.optional(v.array(describedAs(v.string(), { type: "string", enum: [...jobStatuses] })), []),
        "Only jobs in any of these states",
      ),
      /** An empty value answers 400, as in the other filters. */
      session_id: meaning(
        v.optional(
          v.array(
            describedAs(v.string(), { type: "string", pattern: "\\S", maxLength: MAX_SESSION_ID_CHARS }),
          ),
        ),
        "Only jobs of any of these sessions",
      ),
      user_id: only(filter, "user"),
      component_id: only(filter, "agent, team or workflow"),
      ...created,
      error_contains: meaning(filter, "A part of the error's text, case-sensitive"),
      ...pageQuery(1000),
      ...sorting("created_at"),
    }),
    response: pageOf(QueueJob),
    refuses: [400, 503],
    example: { query: { status: ["failed"], user_id: "maria", limit: 20 } },
    summary: "List queue jobs; status=failed is the dead-letter list",
  },
  getJob: {
    method: "GET",
    path: "/queue/jobs/{job_id}",
    scopes: ["platform:admin"],
    params: JobParams,
    response: QueueJob,
    refuses: [503],
    summary: "Show one queue job",
  },
  getQueueStats: {
    method: "GET",
    path: "/queue/stats",
    scopes: ["platform:admin"],
    response: QueueStats,
    refuses: [503],
    summary:
      "Count jobs by status; show what queued ones wait for, how long the oldest has, and whose they are",
  },
  getRunLog: {
    method: "GET",
    path: "/runs/{run_id}/log",
    scopes: ["platform:admin"],
    tag: "runs",
    params: LogParams,
    query: v.object({
      after: meaning(v.optional(integerText()), "Only lines of this time or later, in epoch seconds"),
      before: meaning(v.optional(integerText()), "Only lines of this time or earlier, in epoch seconds"),
      limit: meaning(v.optional(integerText({ min: 1, max: 1000 }), "100"), "Most lines of a page"),
      cursor: meaning(optionalText(), "Where the page begins: next_cursor of the page before it"),
    }),
    response: RunLog,
    refuses: [400, 503],
    example: { query: { limit: 100 } },
    summary: "Show the platform's own log lines of a run, the oldest first",
    description:
      "From the log groups of the functions that execute runs, from the run's creation until after its end. What was said is never logged. A line appears some seconds after it was written. A run in days of log may need after and before.",
  },
  requeueJob: {
    method: "POST",
    path: "/queue/jobs/{job_id}/requeue",
    scopes: ["platform:admin"],
    params: JobParams,
    query: v.object({
      clear_cancellation: meaning(
        v.optional(booleanText(), "false"),
        "Needed by a cancelled job whose cancellation is still live",
      ),
      force: meaning(
        v.optional(booleanText(), "false"),
        "Needed by a job that failed so recently that its worker may still be alive",
      ),
    }),
    response: QueueJob,
    refuses: [400, 409, 503],
    example: { query: { force: true } },
    summary: "Run a failed or cancelled job once more",
  },
  cancelJobs: {
    method: "POST",
    path: "/queue/jobs/cancel",
    scopes: ["platform:admin"],
    body: { json: CancelJobsBody },
    response: CancelledJobs,
    refuses: [503],
    example: {
      body: { status: ["queued"], component_id: "assistant", user_id: "maria", limit: 50, dry_run: true },
    },
    summary: "Cancel many waiting, running or paused jobs, the oldest first",
    description:
      "A dry run unless dry_run is false: it reports what would be done and changes nothing. Waiting and paused jobs are cancelled at once, running ones stop at their next checkpoint.",
  },
  requeueJobs: {
    method: "POST",
    path: "/queue/jobs/requeue",
    scopes: ["platform:admin"],
    body: { json: RequeueJobsBody },
    response: RequeuedJobs,
    refuses: [503],
    example: {
      body: {
        status: ["failed"],
        user_id: "maria",
        error_contains: "did not answer",
        limit: 50,
        dry_run: true,
      },
    },
    summary: "Run many failed or cancelled jobs once more, the oldest first",
    description:
      "A dry run unless dry_run is false: it reports what would be done and changes nothing. Jobs become due at per_second a second.",
  },
} as const satisfies RouteTable;
