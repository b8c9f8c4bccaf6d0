import type { FunctionName, Needs } from "./needs.ts";
import { authorizing, countingOfUser, described, publishing, recording } from "./shared-needs.ts";

/** Functions of what happens by itself, of messages to others, and of the platform itself. */
export const operations = {
  schedules: {
    tables: {
      ...recording,
      components: { actions: ["GetItem"] },
      schedules: {
        actions: [
          "GetItem",
          "BatchGetItem",
          "Query",
          "PutItem",
          "UpdateItem",
          "DeleteItem",
          "BatchWriteItem",
          "ConditionCheckItem",
        ],
        indexes: ["by_owner", "by_opening"],
      },
      runs: { actions: ["GetItem"] },
      // Whether the account that owns a schedule may still call.
      service_accounts: { actions: ["GetItem"] },
      ...publishing,
    },
    objects: ["GetObject"],
    deliveryQueue: ["SendMessage"],
    scheduleQueue: ["SendMessage"],
    scheduler: ["CreateSchedule", "DeleteSchedule"],
  },
  "schedule-executor": {
    tables: {
      ...recording,
      schedules: { actions: ["GetItem", "PutItem", "UpdateItem", "ConditionCheckItem"] },
      runs: { actions: ["GetItem"] },
      // Whether the account that owns a schedule may still call.
      service_accounts: { actions: ["GetItem"] },
      ...publishing,
    },
    objects: ["GetObject"],
    deliveryQueue: ["SendMessage"],
    scheduler: ["DeleteSchedule"],
    scheduleQueue: ["SendMessage"],
  },
  "schedule-reconcile": {
    tables: {
      schedules: {
        actions: ["GetItem", "Query", "PutItem", "DeleteItem", "BatchWriteItem", "ConditionCheckItem"],
        indexes: ["by_opening"],
      },
      ...publishing,
    },
    deliveryQueue: ["SendMessage"],
    scheduler: ["CreateSchedule", "DeleteSchedule", "GetScheduleGroup", "ListSchedules"],
  },
  webhooks: {
    tables: { chats: { actions: ["GetItem", "PutItem", "UpdateItem"] } },
    chatQueue: ["SendMessage"],
    chatSecrets: true,
  },
  "chat-worker": {
    tables: {
      chats: { actions: ["GetItem", "PutItem", "UpdateItem"] },
      runs: { actions: ["GetItem", "Query"] },
      // What people say about answers.
      feedback: { actions: ["GetItem", "PutItem", "UpdateItem", "DeleteItem"] },
      sessions: { actions: ["GetItem", "ConditionCheckItem"] },
      ...publishing,
    },
    objects: ["GetObject", "PutObject"],
    chatQueue: ["SendMessage"],
    deliveryQueue: ["SendMessage"],
    chatSecrets: true,
    spans: true,
  },
  deliveries: {
    tables: {
      ...recording,
      outbox: {
        actions: ["GetItem", "BatchGetItem", "PutItem", "UpdateItem", "DeleteItem"],
        indexes: ["by_owner", "by_opening"],
      },
    },
    deliveryQueue: ["SendMessage"],
    webhookSecret: true,
  },
  "delivery-worker": {
    tables: {
      outbox: {
        actions: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"],
        indexes: ["by_owner"],
      },
      // What messages say of a run is read when they are sent.
      runs: { actions: ["GetItem"] },
      sessions: { actions: ["GetItem"] },
      // Whether the account that owns an endpoint is there still.
      service_accounts: { actions: ["GetItem"] },
    },
    objects: ["GetObject"],
    deliveryQueue: ["SendMessage"],
    webhookSecret: true,
  },
  authorizer: { tables: { service_accounts: authorizing } },
  "service-accounts": {
    tables: {
      ...recording,
      service_accounts: { actions: ["GetItem", "Query", "PutItem", "UpdateItem", "ConditionCheckItem"] },
      // Revoking an account disables its schedules.
      schedules: { actions: ["GetItem", "BatchGetItem", "PutItem", "UpdateItem"], indexes: ["by_owner"] },
      ...publishing,
    },
    deliveryQueue: ["SendMessage"],
  },
  // The only function that reads the audit; it writes nothing.
  audit: { tables: { audit: { actions: ["GetItem", "BatchGetItem", "Query"] } } },
  // Everybody may ask it whether the tables answer, so it may not read them.
  platform: { tables: described, runQueue: ["GetQueueAttributes"] },
  console: {},
  config: {},
  databases: {
    tables: {
      ...recording,
      databases: { actions: ["GetItem", "UpdateItem"] },
      // It counts what is stored of a user; the housekeeper removes it.
      ...countingOfUser,
    },
    deadLetters: ["SendMessage"],
  },
  // The only function that scans tables; the migrations are in `shared/migrations/`.
  housekeeper: {
    tables: {
      jobs: {
        actions: ["GetItem", "BatchGetItem", "Query", "Scan", "PutItem", "UpdateItem", "DeleteItem"],
        indexes: ["by_status", "by_user"],
      },
      // A run that is given up leaves what was said to it to a new run of its session.
      runs: {
        actions: [
          "GetItem",
          "Query",
          "Scan",
          "PutItem",
          "UpdateItem",
          "DeleteItem",
          "BatchWriteItem",
          "ConditionCheckItem",
        ],
      },
      sessions: {
        actions: ["GetItem", "BatchGetItem", "PutItem", "UpdateItem", "DeleteItem"],
        indexes: ["by_owner", "by_opening"],
      },
      approvals: { actions: ["GetItem", "UpdateItem"] },
      // The end of a run is recorded in the schedule that started it; with everything of a user go its schedules.
      schedules: {
        actions: [
          "GetItem",
          "BatchGetItem",
          "Query",
          "PutItem",
          "UpdateItem",
          "DeleteItem",
          "BatchWriteItem",
        ],
        indexes: ["by_owner"],
      },
      // With a session goes what was recorded and learned of it, what trials of evaluations said in it, and its events.
      traces: { actions: ["Query", "GetItem", "PutItem", "DeleteItem"], indexes: ["by_session"] },
      learnings: {
        actions: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"],
        indexes: ["by_owner"],
      },
      memories: { actions: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"] },
      // The lists are of what judges used in a day.
      // Cases of a session are erased, and the sessions of their trials removed, which the audit records.
      evals: {
        actions: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem"],
        indexes: ["by_owner", "by_opening"],
      },
      ...recording,
      feedback: { actions: ["BatchGetItem", "Query", "BatchWriteItem"] },
      outbox: {
        actions: [
          "GetItem",
          "BatchGetItem",
          "PutItem",
          "UpdateItem",
          "DeleteItem",
          "Query",
          "BatchWriteItem",
        ],
        indexes: ["by_owner"],
      },
      metrics: {
        actions: ["GetItem", "Query", "PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem"],
      },
      databases: { actions: ["GetItem", "UpdateItem", "DeleteItem"] },
      service_accounts: { actions: ["GetItem", "Query", "Scan", "UpdateItem"] },
      budgets: { actions: ["GetItem", "Scan", "UpdateItem"] },
      knowledge: {
        actions: ["GetItem", "BatchGetItem", "Scan", "UpdateItem"],
        indexes: ["by_owner"],
      },
    },
    // In addition to those of sessions that are removed, calls of tools that are too large for the record of their run.
    objects: ["GetObject", "PutObject", "DeleteObject"],
    evalObjects: ["GetObject", "PutObject", "DeleteObject"],
    runQueue: ["SendMessage"],
    deliveryQueue: ["SendMessage"],
    deadLetters: ["SendMessage"],
  },
  metrics: {
    tables: {
      metrics: { actions: ["GetItem", "Query", "UpdateItem"] },
      budgets: { actions: ["GetItem"] },
      // Whose budget a service account spends.
      service_accounts: { actions: ["GetItem"] },
    },
  },
} as const satisfies Partial<Record<FunctionName, Needs>>;
