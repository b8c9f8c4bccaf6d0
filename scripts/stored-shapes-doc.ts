import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import { AuditSeal } from "../shared/schemas/audit/audit-record.ts";
import { ComponentRecord, VersionRecord } from "../shared/schemas/components/component-record.ts";
import { EvalPlan } from "../shared/schemas/evals/eval-plan.ts";
import { EvalTrial } from "../shared/schemas/evals/eval-trial.ts";
import { StoredContent } from "../shared/schemas/knowledge/knowledge-content.ts";
import type { TableName } from "../shared/settings/table-env.ts";
import { APPROVAL_SHAPE, StoredApproval } from "../shared/stores/approvals/approval-item.ts";
import { AUDIT_SHAPE, StoredAuditRecord } from "../shared/stores/audit/audit-item.ts";
import { SEAL_SHAPE } from "../shared/stores/audit/seal-item.ts";
import { BUDGET_SHAPE, StoredDay } from "../shared/stores/budgets/daily-budget.ts";
import { FOREGROUND_SLOT_SHAPE, StoredSlot } from "../shared/stores/budgets/foreground-slots.ts";
import { CHAT_SHAPE, StoredChat } from "../shared/stores/chats/chat.ts";
import {
  CHAT_MESSAGE_SHAPE,
  RUN_MESSAGE_SHAPE,
  StoredChatMessage,
  StoredRunMessage,
} from "../shared/stores/chats/message-item.ts";
import { SENT_SHAPE, StoredSent } from "../shared/stores/chats/sent-item.ts";
import { COMPONENT_SHAPE } from "../shared/stores/components/component-item.ts";
import { VERSION_SHAPE } from "../shared/stores/components/version-item.ts";
import { StoredDatabase } from "../shared/stores/databases/database-item.ts";
import { DATABASE_SHAPE } from "../shared/stores/databases/new-database.ts";
import { EVAL_PLAN_SHAPE } from "../shared/stores/evals/create-eval.ts";
import {
  DATASET_SHAPE,
  DATASET_VERSION_SHAPE,
  StoredDataset,
  StoredDatasetVersion,
} from "../shared/stores/evals/datasets/dataset-item.ts";
import { EVAL_SHAPE, StoredEval } from "../shared/stores/evals/eval-item.ts";
import { EVAL_TRIAL_SHAPE } from "../shared/stores/evals/finish-trial.ts";
import {
  FEEDBACK_SHAPE,
  FEEDBACK_SUMMARY_SHAPE,
  FeedbackSums,
  StoredFeedback,
} from "../shared/stores/feedback/feedback-item.ts";
import { COUNTER_SHAPE, StoredCounter } from "../shared/stores/jobs/counters.ts";
import { DEPTH_SHAPE, StoredDepth } from "../shared/stores/jobs/depth-reading.ts";
import { KEY_SHAPE, StoredKey } from "../shared/stores/jobs/idempotency-key.ts";
import { JOB_SHAPE, StoredJob } from "../shared/stores/jobs/job-item.ts";
import { LOCK_CHECK_SHAPE, StoredLockCheck } from "../shared/stores/jobs/lock-check.ts";
import { WAIT_SHAPE, WaitingJob } from "../shared/stores/jobs/waiting-jobs.ts";
import { CONTENT_SHAPE } from "../shared/stores/knowledge/content-item.ts";
import { SHARE_SHAPE, StoredShareSlot, StoredShareWaiter } from "../shared/stores/knowledge/owner-share.ts";
import { UPLOAD_SHAPE, UploadTicket } from "../shared/stores/knowledge/upload-ticket.ts";
import { WORD_PART_SHAPE, WordPart } from "../shared/stores/knowledge/word-parts.ts";
import { BREAKDOWN_SHAPE, StoredBreakdown } from "../shared/stores/metrics/breakdown-item.ts";
import { METRICS_DAY_SHAPE, StoredMetricsDay } from "../shared/stores/metrics/day-item.ts";
import {
  PART_SHAPE,
  PROGRESS_SHAPE,
  StoredPart,
  StoredProgress,
} from "../shared/stores/metrics/day-slices.ts";
import { REFRESH_SHAPE, StoredRefresh } from "../shared/stores/metrics/refresh-item.ts";
import {
  MODEL_KEY_SHAPE,
  MODEL_SHAPE,
  StoredModel,
  StoredModelKey,
} from "../shared/stores/models/model-item.ts";
import {
  OAUTH_SHAPE,
  StoredAppToken,
  StoredClient,
  StoredCode,
  StoredGrant,
} from "../shared/stores/oauth/oauth-items.ts";
import { CALLBACK_KEYS_SHAPE, StoredCallbackKeys } from "../shared/stores/outbox/callback-keys.ts";
import { DELIVERY_SHAPE, StoredDelivery } from "../shared/stores/outbox/delivery-item.ts";
import { ENDPOINT_SHAPE, StoredEndpoint } from "../shared/stores/outbox/endpoints.ts";
import { OUTBOX_EVENT_SHAPE, StoredEvent } from "../shared/stores/outbox/event-item.ts";
import { LEASE_WATCH_SHAPE, StoredLeaseWatch } from "../shared/stores/outbox/lease-watch.ts";
import { PUSH_CONFIGS_SHAPE, StoredPushConfigs } from "../shared/stores/outbox/push-configs.ts";
import { LEARNING_SHAPE, StoredLearning } from "../shared/stores/owned/learning-item.ts";
import { MEMORY_SHAPE, StoredMemory } from "../shared/stores/owned/memory-item.ts";
import { ELICITED_ANSWER_SHAPE, StoredElicitedAnswer } from "../shared/stores/runs/elicited-answer.ts";
import { EVENTS_SHAPE, StoredBatch } from "../shared/stores/runs/events.ts";
import { INBOX_SHAPE, StoredMessage } from "../shared/stores/runs/inbox-item.ts";
import { PAUSE_ROUND_SHAPE, StoredPauseRound } from "../shared/stores/runs/pause-round.ts";
import { RUN_SHAPE, StoredRun } from "../shared/stores/runs/run-item.ts";
import { RESULT_ROOM_SHAPE, StoredResultRoom } from "../shared/stores/runs/stored-results.ts";
import { StoredTaskAnswer, TASK_ANSWER_SHAPE } from "../shared/stores/runs/task-answers.ts";
import { StoredTask, TASK_SHAPE } from "../shared/stores/runs/task-item.ts";
import { StoredCall, TOOL_CALL_SHAPE } from "../shared/stores/runs/tool-calls.ts";
import { StoredWithheld, WITHHELD_SHAPE } from "../shared/stores/runs/withheld.ts";
import { COMPARISON_SHAPE, StoredComparison } from "../shared/stores/schedules/comparison.ts";
import { SCHEDULE_RUN_SHAPE, StoredScheduleRun } from "../shared/stores/schedules/runs/run-item.ts";
import { SCHEDULE_SHAPE, StoredSchedule } from "../shared/stores/schedules/schedule-item.ts";
import {
  SERVICE_ACCOUNT_NAME_SHAPE,
  SERVICE_ACCOUNT_SHAPE,
  StoredAccount,
  StoredName,
  StoredToken,
} from "../shared/stores/service-accounts/account-item.ts";
import { SESSION_SHAPE, StoredSession } from "../shared/stores/sessions/session-item.ts";
import { SPANS_SHAPE, StoredSpans, StoredTrace, TRACE_SHAPE } from "../shared/stores/traces/trace-item.ts";
import { SAVED_VIEWS_SHAPE, StoredViews } from "../shared/stores/users/saved-views.ts";
import { StoredUserRemoval, USER_REMOVAL_SHAPE } from "../shared/stores/users/user-removal.ts";

/** Where the page is kept. */
export const storedShapesFile = join(import.meta.dirname, "..", "docs", "stored-shapes.md");

export type StoredRecord = {
  readonly table: TableName;
  readonly shape: number;
  readonly schema: v.GenericSchema;
};

/**
 * Every sort of record that outlives a process, with the version of its shape. A new one is added here, so that no
 * change of it goes unseen. Checkpoints are within runs and have a test of their own (`test/checkpoints`).
 */
const storedRecords: Readonly<Record<string, StoredRecord>> = {
  job: { table: "jobs", shape: JOB_SHAPE, schema: StoredJob },
  "idempotency key": { table: "jobs", shape: KEY_SHAPE, schema: StoredKey },
  "note of a waiting job": { table: "jobs", shape: WAIT_SHAPE, schema: WaitingJob },
  "check of the locks": { table: "jobs", shape: LOCK_CHECK_SHAPE, schema: StoredLockCheck },
  "counter of ended jobs": { table: "jobs", shape: COUNTER_SHAPE, schema: StoredCounter },
  "depth of the queue": { table: "jobs", shape: DEPTH_SHAPE, schema: StoredDepth },
  run: { table: "runs", shape: RUN_SHAPE, schema: StoredRun },
  events: { table: "runs", shape: EVENTS_SHAPE, schema: StoredBatch },
  "room of stored results": { table: "runs", shape: RESULT_ROOM_SHAPE, schema: StoredResultRoom },
  "message to a run": { table: "runs", shape: INBOX_SHAPE, schema: StoredMessage },
  "task of a run": { table: "runs", shape: TASK_SHAPE, schema: StoredTask },
  "tool call": { table: "runs", shape: TOOL_CALL_SHAPE, schema: StoredCall },
  "withheld text": { table: "runs", shape: WITHHELD_SHAPE, schema: StoredWithheld },
  "answer of a person asked over MCP": {
    table: "runs",
    shape: ELICITED_ANSWER_SHAPE,
    schema: StoredElicitedAnswer,
  },
  "question to a client over MCP": { table: "runs", shape: PAUSE_ROUND_SHAPE, schema: StoredPauseRound },
  "answer to a task over MCP": { table: "runs", shape: TASK_ANSWER_SHAPE, schema: StoredTaskAnswer },
  session: { table: "sessions", shape: SESSION_SHAPE, schema: StoredSession },
  "service account": { table: "service_accounts", shape: SERVICE_ACCOUNT_SHAPE, schema: StoredAccount },
  "service account's token": { table: "service_accounts", shape: SERVICE_ACCOUNT_SHAPE, schema: StoredToken },
  "service account's name": {
    table: "service_accounts",
    shape: SERVICE_ACCOUNT_NAME_SHAPE,
    schema: StoredName,
  },
  "client of the MCP server": { table: "service_accounts", shape: OAUTH_SHAPE, schema: StoredClient },
  "code of a client": { table: "service_accounts", shape: OAUTH_SHAPE, schema: StoredCode },
  "connected app": { table: "service_accounts", shape: OAUTH_SHAPE, schema: StoredGrant },
  "token of a connected app": { table: "service_accounts", shape: OAUTH_SHAPE, schema: StoredAppToken },
  "slot of a foreground run": { table: "budgets", shape: FOREGROUND_SLOT_SHAPE, schema: StoredSlot },
  model: { table: "budgets", shape: MODEL_SHAPE, schema: StoredModel },
  "key of a model's service": { table: "budgets", shape: MODEL_KEY_SHAPE, schema: StoredModelKey },
  "user's day": { table: "budgets", shape: BUDGET_SHAPE, schema: StoredDay },
  approval: { table: "approvals", shape: APPROVAL_SHAPE, schema: StoredApproval },
  schedule: { table: "schedules", shape: SCHEDULE_SHAPE, schema: StoredSchedule },
  "comparison of schedules": { table: "schedules", shape: COMPARISON_SHAPE, schema: StoredComparison },
  "attempt of a schedule": {
    table: "schedules",
    shape: SCHEDULE_RUN_SHAPE,
    schema: StoredScheduleRun,
  },
  component: { table: "components", shape: COMPONENT_SHAPE, schema: ComponentRecord },
  "version of a component": { table: "components", shape: VERSION_SHAPE, schema: VersionRecord },
  memory: { table: "memories", shape: MEMORY_SHAPE, schema: StoredMemory },
  learning: { table: "learnings", shape: LEARNING_SHAPE, schema: StoredLearning },
  content: { table: "knowledge", shape: CONTENT_SHAPE, schema: StoredContent },
  "part of an index of words": { table: "chunks", shape: WORD_PART_SHAPE, schema: WordPart },
  "slot of a user's contents": { table: "knowledge", shape: SHARE_SHAPE, schema: StoredShareSlot },
  "content that waits for a slot": { table: "knowledge", shape: SHARE_SHAPE, schema: StoredShareWaiter },
  "upload of a large file": { table: "knowledge", shape: UPLOAD_SHAPE, schema: UploadTicket },
  feedback: { table: "feedback", shape: FEEDBACK_SHAPE, schema: StoredFeedback },
  "feedback on a run, in sums": { table: "feedback", shape: FEEDBACK_SUMMARY_SHAPE, schema: FeedbackSums },
  trace: { table: "traces", shape: TRACE_SHAPE, schema: StoredTrace },
  "spans of a trace": { table: "traces", shape: SPANS_SHAPE, schema: StoredSpans },
  "message of a chat": { table: "chats", shape: CHAT_MESSAGE_SHAPE, schema: StoredChatMessage },
  conversation: { table: "chats", shape: CHAT_SHAPE, schema: StoredChat },
  "message of an answer": { table: "chats", shape: SENT_SHAPE, schema: StoredSent },
  "message that a run answers": { table: "chats", shape: RUN_MESSAGE_SHAPE, schema: StoredRunMessage },
  database: { table: "databases", shape: DATABASE_SHAPE, schema: StoredDatabase },
  "saved views": { table: "databases", shape: SAVED_VIEWS_SHAPE, schema: StoredViews },
  "user removal": { table: "databases", shape: USER_REMOVAL_SHAPE, schema: StoredUserRemoval },
  evaluation: { table: "evals", shape: EVAL_SHAPE, schema: StoredEval },
  "plan of an evaluation": { table: "evals", shape: EVAL_PLAN_SHAPE, schema: EvalPlan },
  "trial of an evaluation": { table: "evals", shape: EVAL_TRIAL_SHAPE, schema: EvalTrial },
  "dataset of evaluations": { table: "evals", shape: DATASET_SHAPE, schema: StoredDataset },
  "version of a dataset": { table: "evals", shape: DATASET_VERSION_SHAPE, schema: StoredDatasetVersion },
  "day of metrics": { table: "metrics", shape: METRICS_DAY_SHAPE, schema: StoredMetricsDay },
  "breakdown of a day of metrics": { table: "metrics", shape: BREAKDOWN_SHAPE, schema: StoredBreakdown },
  "push configurations of a task": {
    table: "outbox",
    shape: PUSH_CONFIGS_SHAPE,
    schema: StoredPushConfigs,
  },
  "event of the outbox": { table: "outbox", shape: OUTBOX_EVENT_SHAPE, schema: StoredEvent },
  delivery: { table: "outbox", shape: DELIVERY_SHAPE, schema: StoredDelivery },
  "webhook endpoint": { table: "outbox", shape: ENDPOINT_SHAPE, schema: StoredEndpoint },
  "keys of callbacks": { table: "outbox", shape: CALLBACK_KEYS_SHAPE, schema: StoredCallbackKeys },
  "watch over a lease": { table: "outbox", shape: LEASE_WATCH_SHAPE, schema: StoredLeaseWatch },
  "record of the audit": { table: "audit", shape: AUDIT_SHAPE, schema: StoredAuditRecord },
  "seal of the audit": { table: "audit", shape: SEAL_SHAPE, schema: AuditSeal },
  "progress of a day of metrics": { table: "metrics", shape: PROGRESS_SHAPE, schema: StoredProgress },
  "part of a day of metrics": { table: "metrics", shape: PART_SHAPE, schema: StoredPart },
  "refresh of metrics": { table: "metrics", shape: REFRESH_SHAPE, schema: StoredRefresh },
};

/** The page, as Markdown. */
export function storedShapesDoc(records = storedRecords): string {
  const rows = Object.entries(records).map(
    ([name, { table, shape, schema }]) => `| ${name} | ${table} | ${shape} | ${digestOf(schema)} |`,
  );
  return `# Stored shapes

\`node scripts/stored-shapes-doc.ts\` generates this page from the schemas that the stores use for reading. A test compares
them. The digest is computed from the schema. If it changes, raise the shape, so that readers and migrations can
distinguish old records from new ones. [Migrations](decisions/2026-11-21-migrations.md) explains how.

| Record | Table | Shape | Digest |
| --- | --- | --- | --- |
${rows.join("\n")}
`;
}

/** Records whose schema is not the one that the page documents, under the same version: one sentence each. */
export function unraisedShapes(page: string, records = storedRecords): string[] {
  const documented = new Map(
    rowsIn(page).map(([name = "", _table, shape, digest]) => [name, { shape, digest }]),
  );
  return Object.entries(records).flatMap(([name, { shape, schema }]) => {
    const before = documented.get(name);
    const isSame = !before || before.digest === digestOf(schema) || Number(before.shape) < shape;
    return isSame
      ? []
      : [`the shape of a ${name} has changed and is still ${shape}: raise it where it is declared`];
  });
}

const rowsIn = (page: string): string[][] =>
  page
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| ---"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

/**
 * Of what a schema takes; what JSON Schema cannot say (bytes, a custom check) does not count, nor does how the interface
 * describes it.
 */
function digestOf(schema: v.GenericSchema): string {
  const json = toJsonSchema(schema, {
    errorMode: "ignore",
    typeMode: "input",
    overrideAction: ({ valibotAction, jsonSchema }) => {
      const { type, metadata = {} } = valibotAction as { readonly type: string; readonly metadata?: object };
      const { describedBy: _, description: __, ...taken } = jsonSchema as Record<string, unknown>;
      if (taken.type === "null") return { type: "null" };
      return type === "description" || "describedBy" in metadata ? taken : undefined;
    },
  });
  return createHash("sha256").update(JSON.stringify(json)).digest("hex").slice(0, 12);
}

if (import.meta.main) {
  const unraised = existsSync(storedShapesFile) ? unraisedShapes(readFileSync(storedShapesFile, "utf8")) : [];
  for (const line of unraised) console.error(line);
  if (unraised.length > 0) process.exitCode = 1;
  else writeFileSync(storedShapesFile, storedShapesDoc());
}
