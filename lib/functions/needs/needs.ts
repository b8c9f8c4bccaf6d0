import type { Family } from "../../../shared/routes/index.ts";
import type { TableName } from "../../../shared/settings/table-env.ts";
import type { tables } from "../../../shared/stores/tables.ts";
import type { SchedulerAction } from "../../storage/scheduler.ts";

/** Every function of the service, by the name of its folder. */
export type FunctionName =
  | Family
  | "authorizer"
  | "console"
  | "worker"
  | "sweeper"
  | "housekeeper"
  | "knowledge-worker"
  | "schedule-executor"
  | "schedule-reconcile"
  | "chat-worker"
  | "eval-worker"
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

export type TableNeeds = {
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
  /** Sends checks of locks, and wakes removals and migrations. */
  readonly deadLetters?: readonly "SendMessage"[];
  readonly scheduleQueue?: readonly "SendMessage"[];
  readonly chatQueue?: readonly "SendMessage"[];
  readonly deliveryQueue?: readonly "SendMessage"[];
  /** Reads the secret that signs messages to receivers, where there is one. */
  readonly webhookSecret?: true;
  /** The same for links for feedback alone: where there are none, it may not be read. */
  readonly linkSecret?: true;
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
