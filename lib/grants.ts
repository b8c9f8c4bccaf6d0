import type { TableV2 } from "aws-cdk-lib/aws-dynamodb";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import type { Family } from "../shared/routes/index.ts";
import { type TableName, tableNames } from "../shared/runtime/table-env.ts";
import type { tables } from "../shared/stores/tables.ts";
import { acknowledge } from "./acknowledge.ts";
import type { Tables } from "./data-stack.ts";
import type { ModelAccess } from "./model-access.ts";

/** Every function of the service, by the name of its folder. */
export type FunctionName = Family | "authorizer" | "worker" | "sweeper" | "dead-letter" | "session-remover";

/** A transaction needs the action of each of its entries; it has none of its own. */
export type TableAction =
  | "GetItem"
  | "BatchGetItem"
  | "Query"
  | "PutItem"
  | "UpdateItem"
  | "DeleteItem"
  | "BatchWriteItem"
  | "ConditionCheckItem";

type TableNeeds = {
  readonly [T in TableName]?: {
    readonly actions: readonly TableAction[];
    /** Indexes that are queried. */
    readonly indexes?: readonly (keyof (typeof tables)[T]["indexes"])[];
  };
};

export type Needs = {
  readonly tables?: TableNeeds;
  readonly runQueue?: readonly ("SendMessage" | "GetQueueAttributes")[];
  readonly removalQueue?: readonly "SendMessage"[];
  /** Calls the configured model. */
  readonly model?: true;
};

/**
 * What each function does to what is not its own; the event sources add the reading of their queues. The local
 * platform refuses every call that is not granted here, so a missing line shows in the first test that needs it.
 */
export const needs = {
  authorizer: {},
  platform: {},
  config: {},
  runnables: {},
  runs: {
    tables: {
      jobs: { actions: ["GetItem", "PutItem", "UpdateItem"], indexes: ["by_status"] },
      runs: { actions: ["GetItem", "Query", "PutItem", "UpdateItem"] },
      sessions: { actions: ["GetItem", "PutItem", "UpdateItem"] },
    },
    runQueue: ["SendMessage"],
    model: true,
  },
  queue: {
    tables: {
      jobs: { actions: ["GetItem", "BatchGetItem", "Query", "UpdateItem"], indexes: ["by_status"] },
      runs: { actions: ["GetItem", "PutItem", "UpdateItem"] },
    },
    runQueue: ["SendMessage"],
  },
  sessions: {
    tables: {
      runs: { actions: ["GetItem", "Query"] },
      sessions: {
        actions: ["GetItem", "BatchGetItem", "PutItem", "UpdateItem"],
        indexes: ["by_owner", "by_opening"],
      },
    },
    removalQueue: ["SendMessage"],
    model: true,
  },
  "session-remover": {
    tables: {
      jobs: { actions: ["GetItem", "UpdateItem"] },
      runs: {
        actions: ["GetItem", "Query", "PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem"],
      },
      sessions: { actions: ["GetItem", "UpdateItem", "DeleteItem"] },
    },
    removalQueue: ["SendMessage"],
  },
  worker: {
    tables: {
      jobs: { actions: ["GetItem", "UpdateItem"], indexes: ["by_status"] },
      runs: { actions: ["GetItem", "Query", "PutItem", "UpdateItem"] },
      sessions: { actions: ["UpdateItem"] },
    },
    runQueue: ["SendMessage"],
    model: true,
  },
  sweeper: {
    tables: {
      jobs: { actions: ["BatchGetItem", "UpdateItem"], indexes: ["by_status"] },
      runs: { actions: ["GetItem", "Query", "PutItem", "UpdateItem"] },
      sessions: { actions: [], indexes: ["by_opening"] },
    },
    runQueue: ["SendMessage", "GetQueueAttributes"],
    removalQueue: ["SendMessage"],
  },
  "dead-letter": {
    tables: {
      jobs: { actions: ["GetItem", "UpdateItem"] },
      runs: { actions: ["GetItem", "Query", "PutItem", "UpdateItem"] },
    },
  },
} as const satisfies Record<FunctionName, Needs>;

export type Grantable = {
  readonly tables: Tables;
  readonly runQueue: IQueue;
  readonly removalQueue: IQueue;
  readonly model: ModelAccess;
};

/** Gives a function what it needs, action by action. */
export function grantNeeds(fn: IFunction, name: FunctionName, resources: Grantable): void {
  const { tables, runQueue, removalQueue, model }: Needs = needs[name];
  for (const table of tableNames) {
    const need = tables?.[table];
    if (need) grantTable(fn, resources.tables[table], need);
  }
  if (runQueue) allow(fn, "sqs", runQueue, [resources.runQueue.queueArn]);
  if (removalQueue) allow(fn, "sqs", removalQueue, [resources.removalQueue.queueArn]);
  if (model) grantModel(fn, resources.model);
}

function grantModel(fn: IFunction, { statements, acknowledged }: ModelAccess): void {
  for (const statement of statements) fn.addToRolePolicy(statement);
  if (fn.role) acknowledge(fn.role, acknowledged);
}

type TableNeed = { readonly actions: readonly TableAction[]; readonly indexes?: readonly string[] };

function grantTable(fn: IFunction, table: TableV2, { actions, indexes = [] }: TableNeed): void {
  if (actions.length > 0) allow(fn, "dynamodb", actions, [table.tableArn]);
  if (indexes.length === 0) return;
  allow(
    fn,
    "dynamodb",
    ["Query"],
    indexes.map((index) => `${table.tableArn}/index/${index}`),
  );
}

function allow(fn: IFunction, service: string, actions: readonly string[], resources: string[]): void {
  const named = actions.map((action) => `${service}:${action}`);
  fn.addToRolePolicy(new PolicyStatement({ actions: named, resources }));
}
