import type { queueRoutes } from "../../routes/queue.ts";
import type { QueueJob } from "../../schemas/queue/queue-job.ts";
import type { ExamplesOf } from "./example.ts";
import { pageWith } from "./page-with.ts";
import { pathExamples } from "./path-examples.ts";

const about = {
  id: pathExamples.job_id,
  component_type: "agent",
  component_id: "assistant",
  session_id: pathExamples.session_id,
  job_type: "run",
  user_id: "maria",
  payload: { input: "Write the weekly report.", kwargs: {} },
  idempotency_key: "report-2026-10",
  locked_by: null,
  locked_at: null,
  created_at: 1772615700,
} as const;

const failed: QueueJob = {
  ...about,
  status: "failed",
  attempt: 3,
  max_attempts: 3,
  error: "the model did not answer within 60 s",
  available_at: null,
  updated_at: 1772616120,
  completed_at: 1772616120,
};

const requeued: QueueJob = {
  ...about,
  status: "queued",
  attempt: 3,
  max_attempts: 4,
  error: null,
  available_at: 1772619300,
  updated_at: 1772619300,
  completed_at: null,
};

export const queueExamples: ExamplesOf<typeof queueRoutes> = {
  listJobs: { query: { status: ["failed"], limit: 20 }, answer: pageWith(failed) },
  getJob: { answer: failed },
  getRunLog: {
    query: { limit: 100 },
    answer: {
      data: [
        {
          time: "2026-03-04T10:02:00.114Z",
          level: "ERROR",
          function: "worker",
          message: "a run failed",
          fields: {
            request_id: "8f14e45f-ceea-467f-a8d5-1f3c9c1d9b10",
            job_id: about.id,
            run_id: about.id,
            attempt: 3,
            cause: "model",
            error_type: "TimeoutError",
            at: ["shared/engine/turn/ask-model.ts:61:11"],
          },
        },
      ],
      meta: { next_cursor: null, limit: 100 },
    },
  },
  getQueueStats: {
    answer: {
      counts: { queued: 4, running: 2, paused: 1, completed: 812, failed: 3, cancelled: 0 },
      oldest_queued_age_seconds: 6.5,
      waiting: { for_slot: 1, for_share: 2, for_session: 1, until_later: 0 },
      users: [
        { user_id: "maria", queued: 3, running: 2 },
        { user_id: "otto", queued: 1, running: 0 },
      ],
    },
  },
  requeueJob: { query: { force: true }, answer: requeued },
  cancelJobs: {
    body: { status: ["queued"], component_id: "assistant", user_id: "maria", limit: 50, dry_run: true },
    answer: { dry_run: true, matched: 1, cancelled: [about.id], refused: [], more: false },
  },
  requeueJobs: {
    body: { status: ["failed"], error_contains: "did not answer", limit: 50, dry_run: true },
    answer: { dry_run: true, matched: 1, requeued: [about.id], refused: [], more: false },
  },
};
