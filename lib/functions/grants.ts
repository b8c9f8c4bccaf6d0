import { Stack } from "aws-cdk-lib";
import type { TableV2 } from "aws-cdk-lib/aws-dynamodb";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { IKey } from "aws-cdk-lib/aws-kms";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import { tableNames } from "../../shared/settings/table-env.ts";
import { acknowledge } from "../config/acknowledge.ts";
import type { Tables } from "../stacks/data-stack.ts";
import { grantKey } from "../storage/customer-key.ts";
import type { Objects } from "../storage/objects-bucket.ts";
import { grantScheduler, type Scheduler } from "../storage/scheduler.ts";
import { needs } from "./function-needs.ts";
import type { KnowledgeAccess } from "./knowledge-access.ts";
import type { Access } from "./model-access.ts";
import type { FunctionName, Needs, ObjectAction, TableAction, VectorAction } from "./needs/needs.ts";

export type Grantable = {
  readonly tables: Tables;
  readonly objects: Objects;
  /** Key of the account's own that encrypts tables, objects and queues, if there is one. */
  readonly key: IKey | undefined;
  readonly runQueue: IQueue;
  /** The run queue's dead-letter queue, which carries the checks of locks too. */
  readonly deadLetters: IQueue;
  readonly scheduler: Scheduler;
  readonly model: Access;
  /** What the tools of the registry declare. */
  readonly tools: Access;
  readonly knowledgeQueue: IQueue;
  readonly evalQueue: IQueue;
  readonly knowledge: KnowledgeAccess;
  /** Permission to read the secret with the key that signs agent cards; empty where there is none. */
  readonly cardKey: Access;
  /** Permission to read the secret with the headers for exporting spans; empty where there is none. */
  readonly spanHeaders: Access;
  readonly chatQueue: IQueue;
  readonly deliveryQueue: IQueue;
  /** ARN of the secret that signs messages to receivers; undefined where webhooks are off. */
  readonly webhookSecret: string | undefined;
  /** The same secret, where there are links for feedback. */
  readonly linkSecret: string | undefined;
  /** ARNs of the secrets of the chat platforms that are configured. */
  readonly chatSecrets: readonly string[];
};

/** Grants a function what it needs, action by action. */
export function grantNeeds(fn: IFunction, name: FunctionName, resources: Grantable): void {
  const need: Needs = needs[name];
  for (const table of tableNames) {
    const actions = need.tables?.[table];
    if (actions) grantTable(fn, resources.tables[table], actions);
  }
  for (const [folder, actions] of foldersOf(need))
    if (actions) grantObjects(fn, resources.objects, folder, actions);
  for (const [queue, actions] of queuesOf(need, resources))
    if (actions) allow(fn, "sqs", actions, [queue.queueArn]);
  if (need.vectors) grantVectors(fn, resources.knowledge, need.vectors);
  if (need.sources) grantSources(fn, resources.knowledge, need.sources);
  if (need.chatSecrets && resources.chatSecrets.length > 0) {
    allow(fn, "secretsmanager", ["GetSecretValue"], [...resources.chatSecrets]);
  }
  if (need.webhookSecret && resources.webhookSecret !== undefined) {
    allow(fn, "secretsmanager", ["GetSecretValue"], [resources.webhookSecret]);
  }
  if (need.linkSecret && resources.linkSecret !== undefined) {
    allow(fn, "secretsmanager", ["GetSecretValue"], [resources.linkSecret]);
  }
  if (need.scheduler) grantScheduler(fn, resources.scheduler, need.scheduler);
  if (need.model) grantAccess(fn, resources.model);
  if (need.tools) grantAccess(fn, resources.tools);
  if (need.spans) grantAccess(fn, resources.spanHeaders);
  if (need.cardKey) grantAccess(fn, resources.cardKey);
  if (fn.role && Object.keys(need).length > 0) grantKey(fn.role, resources.key, Stack.of(fn).region);
}

/** Actions on the objects in each folder of the bucket. */
const foldersOf = (need: Needs) =>
  [
    ["sessions", need.objects],
    ["knowledge", need.contents],
    ["uploads", need.uploads],
    ["evals", need.evalObjects],
    ["words", need.words],
  ] as const;

const queuesOf = (need: Needs, { scheduler, ...queues }: Grantable) =>
  [
    [queues.knowledgeQueue, need.knowledgeQueue],
    [queues.evalQueue, need.evalQueue],
    [queues.runQueue, need.runQueue],
    [queues.deadLetters, need.deadLetters],
    [scheduler.queue, need.scheduleQueue],
    [queues.chatQueue, need.chatQueue],
    [queues.deliveryQueue, need.deliveryQueue],
  ] as const;

function grantAccess(fn: IFunction, { statements, acknowledged }: Access): void {
  for (const statement of statements) fn.addToRolePolicy(statement);
  if (fn.role) acknowledge(fn.role, acknowledged);
}

/** Without permission to list, S3 answers 403 for a missing object too. */
function grantObjects(
  fn: IFunction,
  { bucketArn, arnExport }: Objects,
  folder: ReturnType<typeof foldersOf>[number][0],
  actions: readonly ObjectAction[],
): void {
  allow(fn, "s3", actions, [`${bucketArn}/${folder}/*`]);
  allow(fn, "s3", ["ListBucket"], [bucketArn]);
  const finding = `AwsSolutions-IAM5[Resource::${arnExport}/${folder}/*]`;
  if (fn.role) acknowledge(fn.role, { [finding]: "Objects are named by what they belong to." });
}

/** A function that uses vectors may call the embedder, which makes them. Indexes are created while the service runs. */
function grantVectors(
  fn: IFunction,
  { embedder, indexes }: KnowledgeAccess,
  actions: readonly VectorAction[],
): void {
  grantAccess(fn, embedder);
  if (indexes === undefined) return;
  allow(fn, "s3vectors", actions, [indexes.arn]);
  const finding = `AwsSolutions-IAM5[Resource::${indexes.shown}]`;
  if (fn.role)
    acknowledge(fn.role, { [finding]: "Indexes are named by the knowledge bases they belong to." });
}

function grantSources(
  fn: IFunction,
  { sourcePlaces, sourceSecrets }: KnowledgeAccess,
  actions: readonly ("GetObject" | "ListBucket")[],
): void {
  for (const { bucket, prefix } of sourcePlaces) {
    const arn = `arn:${Stack.of(fn).partition}:s3:::${bucket}`;
    if (actions.includes("GetObject")) allow(fn, "s3", ["GetObject"], [`${arn}/${prefix}*`]);
    if (actions.includes("ListBucket")) fn.addToRolePolicy(listingOf(arn, prefix));
    const finding = `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:s3:::${bucket}/${prefix}*]`;
    if (fn.role) acknowledge(fn.role, { [finding]: "Any object of a source may be read: users name them." });
  }
  if (sourceSecrets.length > 0) allow(fn, "secretsmanager", ["GetSecretValue"], [...sourceSecrets]);
}

/** Listing a bucket, or only what is below a prefix: the listing must ask for it. */
const listingOf = (arn: string, prefix: string): PolicyStatement =>
  new PolicyStatement({
    actions: ["s3:ListBucket"],
    resources: [arn],
    ...(prefix !== "" && { conditions: { StringLike: { "s3:prefix": `${prefix}*` } } }),
  });

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
