import type { FunctionName, Needs } from "./needs.ts";
import {
  authorizing,
  executing,
  executingForSchedules,
  publishing,
  publishingForeground,
  recording,
} from "./shared-needs.ts";

/** Functions that create, execute and end runs. */
export const runs = {
  runs: {
    tables: {
      ...recording,
      // A run that outlasted its client ends here as a job, and wakes the next one of its user.
      jobs: {
        actions: ["GetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"],
        indexes: ["by_status", "by_user"],
      },
      runs: {
        // The conditions are on what was sent to a run, and on whether it has ended.
        actions: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "ConditionCheckItem"],
        indexes: ["by_owner", "by_component", "by_opening", "by_status"],
      },
      // The indexes here and of components are for the lists of the MCP server.
      sessions: {
        actions: ["GetItem", "BatchGetItem", "PutItem", "UpdateItem"],
        indexes: ["by_owner", "by_opening"],
      },
      ...executingForSchedules,
      ...publishingForeground,
      // As are the evaluations that judged them; the end of a run writes one.
      evals: { actions: ["BatchGetItem", "PutItem"] },
      // A search over runs looks at what was said about them.
      feedback: { actions: ["BatchGetItem", "Query"] },
      components: {
        actions: ["GetItem", "BatchGetItem", "Query"],
        indexes: ["by_audience", "by_type"],
      },
      // In addition to the days of users, the slots of their foreground runs.
      budgets: { actions: ["Query", "PutItem", "UpdateItem"] },
      // The streaming function calls `authorize` itself.
      service_accounts: authorizing,
    },
    objects: ["GetObject", "PutObject"],
    runQueue: ["SendMessage"],
    deliveryQueue: ["SendMessage"],
    deadLetters: ["SendMessage"],
    model: true,
    spans: true,
    tools: true,
    linkSecret: true,
    vectors: ["GetVectors", "QueryVectors"],
    words: ["GetObject"],
  },
  a2a: {
    tables: {
      ...recording,
      jobs: { actions: ["GetItem", "PutItem", "UpdateItem"], indexes: ["by_status", "by_user"] },
      runs: {
        // The condition is on what was said to a task before.
        actions: ["GetItem", "Query", "PutItem", "UpdateItem", "ConditionCheckItem"],
        indexes: ["by_task", "by_component_task"],
      },
      sessions: { actions: ["GetItem", "PutItem", "UpdateItem"] },
      // The streaming function calls `authorize` itself.
      service_accounts: authorizing,
      approvals: { actions: ["GetItem", "PutItem", "UpdateItem"] },
      // Lists are for the cards of all that a caller may read.
      components: {
        actions: ["GetItem", "BatchGetItem", "Query"],
        indexes: ["by_audience", "by_type"],
      },
      // The end of a run is recorded in the schedule that started it.
      schedules: { actions: ["UpdateItem"] },
      ...publishing,
    },
    objects: ["GetObject", "PutObject"],
    runQueue: ["SendMessage"],
    deliveryQueue: ["SendMessage"],
    cardKey: true,
  },
  queue: {
    tables: {
      ...recording,
      jobs: {
        actions: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem"],
        indexes: ["by_status"],
      },
      // The index is for a run of which only the id is known.
      runs: { actions: ["GetItem", "Query", "PutItem", "UpdateItem"], indexes: ["by_opening"] },
      // To find the owner of a session whose jobs are listed, and whether it is there still for one that is requeued.
      sessions: { actions: ["GetItem"] },
      // A run that is cancelled ends with its approvals, and the schedule that started it records the end.
      approvals: { actions: ["GetItem", "UpdateItem"] },
      schedules: { actions: ["UpdateItem"] },
      ...publishing,
    },
    objects: ["GetObject", "PutObject"],
    runQueue: ["SendMessage"],
    deliveryQueue: ["SendMessage"],
    runLogs: ["FilterLogEvents"],
  },
  worker: {
    tables: {
      jobs: {
        actions: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"],
        indexes: ["by_user"],
      },
      runs: {
        actions: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "ConditionCheckItem"],
      },
      // Read for the session summary, by agents that have one.
      sessions: { actions: ["GetItem", "UpdateItem"] },
      ...executingForSchedules,
    },
    objects: ["GetObject", "PutObject"],
    scheduleQueue: ["SendMessage"],
    chatQueue: ["SendMessage"],
    runQueue: ["SendMessage"],
    deliveryQueue: ["SendMessage"],
    deadLetters: ["SendMessage"],
    model: true,
    spans: true,
    tools: true,
    vectors: ["GetVectors", "QueryVectors"],
    words: ["GetObject"],
  },
  sweeper: {
    tables: {
      // It seals what the others have recorded, and records what it expires.
      audit: { actions: ["GetItem", "BatchGetItem", "PutItem", "UpdateItem"], indexes: ["by_due"] },
      jobs: {
        actions: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"],
        indexes: ["by_status", "by_user"],
      },
      // A run that fails here leaves what was said to it last to a new run of its session.
      runs: { actions: ["GetItem", "Query", "PutItem", "UpdateItem", "ConditionCheckItem"] },
      approvals: { actions: ["GetItem", "UpdateItem"], indexes: ["by_status"] },
      sessions: { actions: ["GetItem", "UpdateItem"], indexes: ["by_opening"] },
      knowledge: { actions: [], indexes: ["by_due"] },
      chats: { actions: [], indexes: ["by_due"] },
      databases: { actions: ["GetItem", "Query"] },
      schedules: { actions: ["UpdateItem"], indexes: ["by_due"] },
      evals: { actions: [], indexes: ["by_due"] },
      outbox: { actions: ["GetItem", "PutItem"], indexes: ["by_due"] },
    },
    objects: ["GetObject", "PutObject"],
    deliveryQueue: ["SendMessage"],
    scheduleQueue: ["SendMessage"],
    chatQueue: ["SendMessage"],
    runQueue: ["SendMessage", "GetQueueAttributes"],
    deadLetters: ["SendMessage"],
    knowledgeQueue: ["SendMessage"],
    evalQueue: ["SendMessage"],
  },
  "eval-worker": {
    tables: {
      // An evaluation's runs are ordinary runs, each in a session of its own.
      runs: { actions: ["GetItem", "Query", "PutItem", "UpdateItem", "ConditionCheckItem"] },
      sessions: { actions: ["GetItem", "PutItem", "UpdateItem"] },
      ...executing,
      ...publishingForeground,
      evals: { actions: ["GetItem", "Query", "PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem"] },
    },
    spans: true,
    tools: true,
    objects: ["GetObject", "PutObject"],
    evalObjects: ["GetObject", "PutObject", "DeleteObject"],
    evalQueue: ["SendMessage"],
    deliveryQueue: ["SendMessage"],
    model: true,
    vectors: ["GetVectors", "QueryVectors"],
    words: ["GetObject"],
  },
} as const satisfies Partial<Record<FunctionName, Needs>>;
