import type { Family } from "../../shared/routes/index.ts";
import { forEachTable, type TableName } from "../../shared/settings/table-env.ts";
import type { tables } from "../../shared/stores/tables.ts";
import type { SchedulerAction } from "../storage/scheduler.ts";

/** Every function of the service, by the name of its folder. */
export type FunctionName =
  | Family
  | "authorizer"
  | "console"
  | "worker"
  | "sweeper"
  | "dead-letter"
  | "session-remover"
  | "knowledge-worker"
  | "schedule-executor"
  | "schedule-reconcile"
  | "chat-worker"
  | "migrator"
  | "eval-worker"
  | "metrics-refresher"
  | "delivery-worker";

/** A transaction needs the action of each of its entries; there is no action for transactions. */
export type TableAction =
  | "GetItem"
  | "BatchGetItem"
  | "Query"
  | "Scan"
  | "PutItem"
  | "UpdateItem"
  | "DeleteItem"
  | "BatchWriteItem"
  | "ConditionCheckItem"
  | "DescribeTable";

type TableNeeds = {
  readonly [T in TableName]?: {
    readonly actions: readonly TableAction[];
    /** Indexes that are queried. */
    readonly indexes?: readonly (keyof (typeof tables)[T]["indexes"])[];
  };
};

/** Queries that filter or show metadata need GetVectors too. */
export type VectorAction = "CreateIndex" | "PutVectors" | "GetVectors" | "DeleteVectors" | "QueryVectors";

export type ObjectAction = "GetObject" | "PutObject" | "DeleteObject";

export type Needs = {
  readonly tables?: TableNeeds;
  /** Actions on the objects of sessions. */
  readonly objects?: readonly ObjectAction[];
  readonly runQueue?: readonly ("SendMessage" | "GetQueueAttributes")[];
  /** Sends checks of locks. */
  readonly deadLetters?: readonly "SendMessage"[];
  readonly removalQueue?: readonly "SendMessage"[];
  readonly migrationQueue?: readonly "SendMessage"[];
  readonly scheduleQueue?: readonly "SendMessage"[];
  readonly chatQueue?: readonly "SendMessage"[];
  readonly deliveryQueue?: readonly "SendMessage"[];
  /** Reads the secret that signs messages to receivers, where there is one. */
  readonly webhookSecret?: true;
  /** Reads the secret with the key that signs agent cards, where there is one. */
  readonly cardKey?: true;
  /** Reads the secrets of the chat platforms. */
  readonly chatSecrets?: true;
  /** Actions on the schedule group. */
  readonly scheduler?: readonly SchedulerAction[];
  /** Calls the configured model. */
  readonly model?: true;
  /** Executes tools: reads their secrets, and has the permissions that they declare. */
  readonly tools?: true;
  /** Actions on the objects of contents. */
  readonly contents?: readonly ObjectAction[];
  /** Actions on large files that clients upload to the bucket. */
  readonly uploads?: readonly ("GetObject" | "PutObject")[];
  readonly knowledgeQueue?: readonly "SendMessage"[];
  readonly evalQueue?: readonly "SendMessage"[];
  /** Actions on the objects of evaluations, for data that is too large for an item. */
  readonly evalObjects?: readonly ObjectAction[];
  /** Calls the embedder, and has these actions on vectors where they are in S3 Vectors. */
  readonly vectors?: readonly VectorAction[];
  /** Actions on the objects of the index of words. */
  readonly words?: readonly ObjectAction[];
  /** Reads the buckets that are sources, and the secrets with credentials of other sources. */
  readonly sources?: readonly ("GetObject" | "ListBucket")[];
  /** Exports spans to the configured endpoints. */
  readonly spans?: true;
  /** Actions on the log groups of the functions that execute runs. */
  readonly runLogs?: readonly "FilterLogEvents"[];
};

const described = forEachTable(() => ({ actions: ["DescribeTable"] as const })) satisfies TableNeeds;

/** Tables that a run reads to search knowledge. */
const searched = {
  knowledge: { actions: ["BatchGetItem"] },
  chunks: { actions: ["Query", "BatchGetItem"] },
} as const satisfies TableNeeds;

/** What a function needs that publishes its changes, in the same transaction. */
const publishing = {
  outbox: { actions: ["GetItem", "PutItem"] },
} as const satisfies TableNeeds;

/** What a function needs that records what it does in the audit: it can write records, and read or change none. */
const recording = { audit: { actions: ["PutItem"] } } as const satisfies TableNeeds;

/** The same as `publishing` for one that executes runs in the foreground: it looks after their leases too. */
const publishingForeground = {
  outbox: { actions: ["GetItem", "PutItem", "DeleteItem"] },
} as const satisfies TableNeeds;

/** Chunks, and the parts of the index of words, which are replaced in transactions. */
const chunkWriting = [
  "BatchGetItem",
  "BatchWriteItem",
  "ConditionCheckItem",
  "PutItem",
  "UpdateItem",
  "DeleteItem",
] as const satisfies readonly TableAction[];

/** Tables by which a model call is paid for: the day of its user, and whose account it is that calls. */
const paying = {
  budgets: { actions: ["UpdateItem"] },
  service_accounts: { actions: ["GetItem"] },
} as const satisfies TableNeeds;

/** Tables that the execution of a run uses, in addition to those of the run itself, its job and its session. */
const executing = {
  ...paying,
  approvals: { actions: ["GetItem", "PutItem", "UpdateItem"] },
  ...searched,
  // For agents with memories and learnings.
  memories: { actions: ["GetItem", "BatchGetItem", "PutItem", "UpdateItem"], indexes: ["by_owner"] },
  learnings: { actions: ["GetItem", "BatchGetItem", "PutItem", "UpdateItem"], indexes: ["by_owner"] },
  components: { actions: ["GetItem"] },
  ...publishing,
  // A run that is judged after its end.
  evals: { actions: ["PutItem"] },
  // For traced runs.
  traces: { actions: ["Query", "PutItem", "BatchWriteItem"] },
} as const satisfies TableNeeds;

/** The same for runs that a schedule may have started: their end is recorded in the schedule's run. */
const executingForSchedules = {
  ...executing,
  schedules: { actions: ["UpdateItem"] },
} as const satisfies TableNeeds;

/**
 * The permissions of each function; event sources add those to read their queues. The local platform refuses every call
 * that is not granted here, so a missing line fails in the first test that needs it.
 */
export const needs = {
  authorizer: { tables: { service_accounts: { actions: ["GetItem", "UpdateItem"] } } },
  // Everybody may ask it whether the tables answer, so it may not read them.
  platform: { tables: described, runQueue: ["GetQueueAttributes"] },
  console: {},
  config: {},
  runnables: {
    tables: {
      components: {
        actions: ["GetItem", "BatchGetItem", "Query"],
        indexes: ["by_audience", "by_type"],
      },
    },
  },
  runs: {
    tables: {
      ...recording,
      // A run that outlasted its client ends here as a job, and wakes the next one of its user.
      jobs: {
        actions: ["GetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"],
        indexes: ["by_status", "by_user"],
      },
      runs: {
        actions: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem"],
        indexes: ["by_owner", "by_component", "by_opening", "by_status"],
      },
      // The indexes here and of components are for the lists of the MCP server.
      sessions: {
        actions: ["GetItem", "BatchGetItem", "PutItem", "UpdateItem"],
        indexes: ["by_owner", "by_opening"],
      },
      ...executingForSchedules,
      ...publishingForeground,
      components: {
        actions: ["GetItem", "BatchGetItem", "Query"],
        indexes: ["by_audience", "by_type"],
      },
      // In addition to the days of users, the slots of their foreground runs.
      budgets: { actions: ["Query", "PutItem", "UpdateItem"] },
      // The streaming function calls `authorize` itself.
      service_accounts: { actions: ["GetItem", "UpdateItem"] },
    },
    objects: ["GetObject", "PutObject"],
    runQueue: ["SendMessage"],
    deliveryQueue: ["SendMessage"],
    deadLetters: ["SendMessage"],
    model: true,
    spans: true,
    tools: true,
    vectors: ["GetVectors", "QueryVectors"],
    words: ["GetObject"],
  },
  a2a: {
    tables: {
      ...recording,
      jobs: { actions: ["GetItem", "PutItem", "UpdateItem"], indexes: ["by_status", "by_user"] },
      runs: {
        actions: ["GetItem", "Query", "PutItem", "UpdateItem"],
        indexes: ["by_task", "by_component_task"],
      },
      sessions: { actions: ["GetItem", "PutItem", "UpdateItem"] },
      // The streaming function calls `authorize` itself.
      service_accounts: { actions: ["GetItem", "UpdateItem"] },
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
  approvals: {
    tables: {
      ...recording,
      approvals: { actions: ["GetItem", "DeleteItem"], indexes: ["by_status", "by_user"] },
    },
  },
  sessions: {
    tables: {
      ...recording,
      runs: { actions: ["GetItem", "Query"] },
      sessions: {
        actions: ["GetItem", "BatchGetItem", "PutItem", "UpdateItem"],
        indexes: ["by_owner", "by_opening"],
      },
      components: { actions: ["GetItem"] },
      ...paying,
    },
    objects: ["GetObject", "PutObject"],
    removalQueue: ["SendMessage"],
    model: true,
  },
  components: {
    tables: {
      ...recording,
      components: {
        actions: [
          "GetItem",
          "BatchGetItem",
          "Query",
          "PutItem",
          "UpdateItem",
          "DeleteItem",
          "ConditionCheckItem",
        ],
        indexes: ["by_audience", "by_type"],
      },
      // Whether a version was evaluated, before it is published.
      evals: { actions: ["Query", "BatchGetItem"] },
      // Archiving a component disables its schedules.
      schedules: { actions: ["Query", "GetItem", "BatchGetItem", "PutItem", "UpdateItem"] },
      ...publishing,
    },
    deliveryQueue: ["SendMessage"],
  },
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
  memories: {
    tables: {
      ...recording,
      memories: {
        actions: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"],
        indexes: ["by_owner", "by_opening"],
      },
      ...paying,
    },
    model: true,
  },
  learnings: {
    tables: {
      ...recording,
      learnings: {
        actions: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"],
        indexes: ["by_owner", "by_opening"],
      },
    },
  },
  evals: {
    tables: {
      ...recording,
      evals: {
        actions: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem"],
        indexes: ["by_owner", "by_opening"],
      },
      components: { actions: ["GetItem"] },
      ...publishing,
    },
    evalObjects: ["GetObject", "PutObject"],
    evalQueue: ["SendMessage"],
    deliveryQueue: ["SendMessage"],
  },
  "eval-worker": {
    tables: {
      // An evaluation's runs are ordinary runs, each in a session of its own.
      runs: { actions: ["GetItem", "Query", "PutItem", "UpdateItem"] },
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
  traces: {
    tables: {
      ...recording,
      traces: {
        actions: ["Query", "BatchGetItem", "GetItem", "PutItem"],
        indexes: ["by_owner", "by_opening", "by_component", "by_session", "by_failure"],
      },
      // To find the owner of a session that an admin requests by its id alone.
      sessions: { actions: ["GetItem"] },
    },
    objects: ["GetObject"],
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
  "session-remover": {
    tables: {
      jobs: { actions: ["GetItem", "PutItem", "UpdateItem"] },
      runs: {
        actions: ["GetItem", "Query", "PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem"],
      },
      sessions: { actions: ["GetItem", "UpdateItem", "DeleteItem"] },
      // The session's traces are removed too.
      traces: { actions: ["Query", "GetItem", "PutItem", "DeleteItem"], indexes: ["by_session"] },
      approvals: { actions: ["GetItem", "UpdateItem"] },
      // The end of a run is recorded in the schedule that started it.
      schedules: { actions: ["UpdateItem"] },
      // What was learned about the session is removed, and what a trial of an evaluation said in it.
      learnings: {
        actions: ["GetItem", "BatchGetItem", "PutItem", "UpdateItem", "DeleteItem"],
        indexes: ["by_owner"],
      },
      evals: { actions: ["GetItem", "Query", "UpdateItem"] },
      // Events of the removed runs, with what receivers answered.
      outbox: { actions: ["GetItem", "PutItem", "Query", "BatchWriteItem"] },
    },
    objects: ["GetObject", "PutObject", "DeleteObject"],
    deliveryQueue: ["SendMessage"],
    evalObjects: ["GetObject", "PutObject", "DeleteObject"],
    removalQueue: ["SendMessage"],
  },
  databases: {
    tables: { ...recording, databases: { actions: ["GetItem", "UpdateItem"] } },
    migrationQueue: ["SendMessage"],
  },
  // The only function that scans tables; the migrations are in `shared/migrations/`.
  migrator: {
    tables: {
      databases: { actions: ["GetItem", "UpdateItem"] },
      jobs: { actions: ["Scan", "UpdateItem"] },
      runs: { actions: ["Scan", "UpdateItem"] },
      service_accounts: { actions: ["Scan", "UpdateItem"] },
      budgets: { actions: ["Scan", "UpdateItem"] },
      knowledge: { actions: ["Scan", "UpdateItem"] },
    },
    migrationQueue: ["SendMessage"],
  },
  metrics: {
    tables: {
      metrics: { actions: ["GetItem", "Query", "UpdateItem"] },
      budgets: { actions: ["GetItem"] },
      // Whose budget a service account spends.
      service_accounts: { actions: ["GetItem"] },
    },
  },
  "metrics-refresher": {
    tables: {
      metrics: { actions: ["Query", "UpdateItem", "DeleteItem"] },
      sessions: { actions: ["BatchGetItem"], indexes: ["by_owner", "by_opening"] },
      runs: { actions: ["Query"] },
      // What judges used.
      evals: { actions: ["BatchGetItem"], indexes: ["by_owner", "by_opening"] },
    },
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
  worker: {
    tables: {
      jobs: {
        actions: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"],
        indexes: ["by_user"],
      },
      runs: { actions: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem"] },
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
      runs: { actions: ["GetItem", "Query", "PutItem", "UpdateItem"] },
      approvals: { actions: ["GetItem", "UpdateItem"], indexes: ["by_status"] },
      sessions: { actions: [], indexes: ["by_opening"] },
      knowledge: { actions: [], indexes: ["by_due"] },
      chats: { actions: [], indexes: ["by_due"] },
      databases: { actions: ["GetItem"] },
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
    removalQueue: ["SendMessage"],
    knowledgeQueue: ["SendMessage"],
    migrationQueue: ["SendMessage"],
    evalQueue: ["SendMessage"],
  },
  knowledge: {
    tables: {
      ...recording,
      knowledge: {
        actions: ["GetItem", "BatchGetItem", "PutItem", "UpdateItem", "DeleteItem"],
        indexes: ["by_owner", "by_base"],
      },
      chunks: { actions: [...chunkWriting, "Query"] },
    },
    // It updates the metadata of small contents' chunks itself, and may have to remove chunks then.
    contents: ["GetObject", "PutObject", "DeleteObject"],
    uploads: ["GetObject", "PutObject"],
    knowledgeQueue: ["SendMessage"],
    vectors: ["CreateIndex", "PutVectors", "GetVectors", "DeleteVectors", "QueryVectors"],
    words: ["GetObject", "PutObject", "DeleteObject"],
    sources: ["GetObject", "ListBucket"],
  },
  "knowledge-worker": {
    tables: {
      // In addition to contents, the slots and the waiting ones of each user.
      knowledge: { actions: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"] },
      chunks: { actions: [...chunkWriting, "Query"] },
    },
    contents: ["GetObject", "PutObject", "DeleteObject"],
    uploads: ["GetObject"],
    knowledgeQueue: ["SendMessage"],
    vectors: ["CreateIndex", "PutVectors", "GetVectors", "DeleteVectors"],
    words: ["GetObject", "PutObject", "DeleteObject"],
    sources: ["GetObject", "ListBucket"],
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
    },
    objects: ["GetObject", "PutObject"],
    chatQueue: ["SendMessage"],
    chatSecrets: true,
  },
  "dead-letter": {
    tables: {
      jobs: {
        actions: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"],
        indexes: ["by_status", "by_user"],
      },
      runs: { actions: ["GetItem", "Query", "PutItem", "UpdateItem"] },
      approvals: { actions: ["GetItem", "UpdateItem"] },
      // The end of a run is recorded in the schedule that started it.
      schedules: { actions: ["UpdateItem"] },
      ...publishing,
    },
    objects: ["GetObject", "PutObject"],
    runQueue: ["SendMessage"],
    deliveryQueue: ["SendMessage"],
    deadLetters: ["SendMessage"],
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
} as const satisfies Record<FunctionName, Needs>;
