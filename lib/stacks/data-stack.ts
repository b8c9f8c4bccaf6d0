import { CfnOutput, Stack } from "aws-cdk-lib";
import {
  AttributeType,
  Billing,
  type GlobalSecondaryIndexPropsV2,
  ProjectionType,
  TableV2,
  type WarmThroughput,
} from "aws-cdk-lib/aws-dynamodb";
import type { IKey } from "aws-cdk-lib/aws-kms";
import type { Construct } from "constructs";
import { forEachTable, type TableName } from "../../shared/settings/table-env.ts";
import { type TableLayout, tables } from "../../shared/stores/tables.ts";
import { acknowledge } from "../config/acknowledge.ts";
import type { AppConfig } from "../config/config.ts";
import { createCustomerKey, encryptWith } from "../storage/customer-key.ts";
import { createDataRemover } from "../storage/data-remover.ts";
import { createObjectsBucket, type Objects } from "../storage/objects-bucket.ts";
import { removalOfProtected } from "../storage/removal.ts";
import { createVectorBucket, type VectorBucket } from "../storage/vector-bucket.ts";
import { createWebhookSecret } from "../storage/webhook-secret.ts";

export type Tables = Readonly<Record<TableName, TableV2>>;
export type Data = {
  readonly tables: Tables;
  readonly objects: Objects;
  /** Undefined where vectors are in a table. */
  readonly vectorBucket: VectorBucket | undefined;
  /** Key that encrypts all of it; undefined where AWS's own keys do. */
  readonly key: IKey | undefined;
  /** ARN of the secret that signs messages to receivers; undefined where webhooks are off. */
  readonly webhookSecret: string | undefined;
  /** The same, with which links for feedback are sealed; undefined where there are none. */
  readonly linkSecret: string | undefined;
};

/** Resources that must survive a redeploy: one on-demand table for each layout, and the bucket for data too large for an item. */
export function createDataStack(scope: Construct, config: AppConfig): Data {
  const stack = new Stack(scope, "Data", {
    stackName: `agent-platform-${config.stage}-data`,
    description: "Tables and objects of the agent platform",
  });
  const key = createCustomerKey(stack, config);
  encryptWith(stack, key);
  const created = forEachTable((name) => createTable(stack, name, tables[name], config));
  // The other tables of this name may be what earlier deployments of the stage left.
  new CfnOutput(stack, "ServiceAccountsTable", {
    value: created.service_accounts.tableName,
    description: "Table of the service accounts, for mint-admin-token",
  });
  const objects = createObjectsBucket(stack, config, key);
  const vectorBucket = createVectorBucket(stack, config, key);
  createDataRemover(stack, config, { objects, vectorBucket });
  const webhookSecret = createWebhookSecret(stack, config);
  const linkSecret = config.feedbackLinks === "on" ? webhookSecret : undefined;
  return { tables: created, objects, vectorBucket, key, webhookSecret, linkSecret };
}

/** The table's id in the template: `service_accounts` becomes `ServiceAccounts`. */
const logicalId = (name: TableName): string =>
  name
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

function createTable(stack: Stack, name: TableName, layout: TableLayout, config: AppConfig): TableV2 {
  const { disposable, retained, withoutIndexes } = config;
  const tableName = retained.tables[name];
  const warm = warmThroughput(name, config);
  const table = new TableV2(stack, logicalId(name), {
    ...(tableName !== undefined && { tableName }),
    partitionKey: text("pk"),
    sortKey: text("sk"),
    globalSecondaryIndexes: Object.entries(layout.indexes)
      .filter(([index]) => !withoutIndexes?.includes(`${name}.${index}`))
      .map((index) => ({ ...indexOf(index), ...warm })),
    ...warm,
    billing: Billing.onDemand(),
    timeToLiveAttribute: "expires_at",
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: !disposable },
    deletionProtection: !disposable,
    removalPolicy: removalOfProtected(config),
  });
  if (disposable) {
    acknowledge(table, {
      "AwsSolutions-DDB3": "This stage is for trying out; its data goes when it is destroyed.",
    });
  }
  return table;
}

/** Every run writes them. */
const ofEachRun: ReadonlySet<TableName> = new Set(["jobs", "runs", "sessions"]);

/**
 * What a table takes at once.
 *
 * @source AWS, "Understanding DynamoDB warm throughput": a new table takes 4,000 write and 12,000 read units a second
 */
function warmThroughput(
  name: TableName,
  { warmWrites }: AppConfig,
): { readonly warmThroughput?: WarmThroughput } {
  if (warmWrites === undefined || !ofEachRun.has(name)) return {};
  return { warmThroughput: { writeUnitsPerSecond: warmWrites, readUnitsPerSecond: 3 * warmWrites } };
}

function indexOf([indexName, index]: [string, TableLayout["indexes"][string]]): GlobalSecondaryIndexPropsV2 {
  const keys = { indexName, partitionKey: text(index.pk), sortKey: text(index.sk) };
  if (index.project === "keys") return { ...keys, projectionType: ProjectionType.KEYS_ONLY };
  return { ...keys, projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...index.project] };
}

const text = (name: string) => ({ name, type: AttributeType.STRING });
