import * as v from "valibot";
import { CancelJobsBody, CancelledJobs } from "../schemas/queue/cancel-jobs.ts";
import { jobStatuses, QueueJob, QueueStats } from "../schemas/queue/queue-job.ts";
import { RequeuedJobs, RequeueJobsBody } from "../schemas/queue/requeue-jobs.ts";
import { RunLog } from "../schemas/runs/run-log.ts";
import { describedAs } from "../schemas/values/described-as.ts";
import { booleanText, integerText, optionalText } from "../schemas/values/fields.ts";
import { pageOf, pageQuery, SortOrder } from "../schemas/values/page.ts";
import type { RouteTable } from "./route.ts";

const LogParams = v.object({ run_id: v.string() });
const JobParams = v.object({ job_id: v.string() });

/** A filter; the handler refuses an empty one with 400. */
const notEmpty = v.optional(describedAs(v.string(), { type: "string", minLength: 1 }));

/** @source interface, "GET /queue/jobs" and "POST /queue/jobs/{job_id}/requeue"; design 3: admin only */
export const queueRoutes = {
  listJobs: {
    method: "GET",
    path: "/queue/jobs",
    scopes: ["platform:admin"],
    query: v.object({
      /** Checked in the handler: an unknown status answers 400, not 422. */
      status: v.optional(v.array(describedAs(v.string(), { type: "string", enum: [...jobStatuses] })), []),
      /** Jobs of any of these sessions. An empty value answers 400, as in the other filters. */
      session_id: v.optional(
        v.array(describedAs(v.string(), { type: "string", minLength: 1, maxLength: 255 })),
      ),
      user_id: notEmpty,
      component_id: notEmpty,
      /** Inclusive bounds on the acceptance, epoch seconds. */
      created_after: v.optional(integerText()),
      created_before: v.optional(integerText()),
      /** A part of the error's text, case-sensitive. */
      error_contains: notEmpty,
      ...pageQuery(1000),
      sort_by: v.optional(v.string(), "created_at"),
      sort_order: v.optional(SortOrder, "desc"),
    }),
    response: pageOf(QueueJob),
    refuses: [400, 503],
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
      "Count jobs by status; tell what queued ones wait for, how long the oldest has, and whose they are",
  },
  getRunLog: {
    method: "GET",
    path: "/runs/{run_id}/log",
    scopes: ["platform:admin"],
    tag: "runs",
    params: LogParams,
    query: v.object({
      /** Inclusive bounds on the time of a line, epoch seconds. */
      after: v.optional(integerText()),
      before: v.optional(integerText()),
      limit: v.optional(integerText({ min: 1, max: 1000 }), "100"),
      cursor: optionalText(),
    }),
    response: RunLog,
    refuses: [400, 503],
    summary: "Show the platform's own log lines of a run, the oldest first",
    description:
      "From the log groups of the functions that execute runs, from the run's creation until after its end. What was said is never logged. A line appears some seconds after it was written. A run in days of log may need after and before.",
  },
  requeueJob: {
    method: "POST",
    path: "/queue/jobs/{job_id}/requeue",
    scopes: ["platform:admin"],
    audit: true,
    params: JobParams,
    query: v.object({
      clear_cancellation: v.optional(booleanText(), "false"),
      force: v.optional(booleanText(), "false"),
    }),
    response: QueueJob,
    refuses: [400, 409, 503],
    summary: "Run a failed or cancelled job once more",
  },
  cancelJobs: {
    method: "POST",
    path: "/queue/jobs/cancel",
    scopes: ["platform:admin"],
    audit: true,
    body: { json: CancelJobsBody },
    response: CancelledJobs,
    refuses: [503],
    summary: "Cancel many waiting, running or paused jobs, the oldest first",
    description:
      "A dry run unless dry_run is false: it tells what would be done and changes nothing. Waiting and paused jobs are cancelled at once, running ones stop at their next checkpoint.",
  },
  requeueJobs: {
    method: "POST",
    path: "/queue/jobs/requeue",
    scopes: ["platform:admin"],
    audit: true,
    body: { json: RequeueJobsBody },
    response: RequeuedJobs,
    refuses: [503],
    summary: "Run many failed or cancelled jobs once more, the oldest first",
    description:
      "A dry run unless dry_run is false: it tells what would be done and changes nothing. Jobs become due at per_second a second.",
  },
} as const satisfies RouteTable;
