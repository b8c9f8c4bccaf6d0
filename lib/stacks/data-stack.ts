import { RemovalPolicy, Stack } from "aws-cdk-lib";
import {
  AttributeType,
  Billing,
  type GlobalSecondaryIndexPropsV2,
  ProjectionType,
  TableV2,
} from "aws-cdk-lib/aws-dynamodb";
import type { IKey } from "aws-cdk-lib/aws-kms";
import type { Construct } from "constructs";
import { forEachTable, type TableName } from "../../shared/runtime/table-env.ts";
import { type TableLayout, tables } from "../../shared/stores/tables.ts";
import { acknowledge } from "../config/acknowledge.ts";
import type { AppConfig } from "../config/config.ts";
import { createCustomerKey, encryptWith } from "../storage/customer-key.ts";
import { createObjectsBucket, type Objects } from "../storage/objects-bucket.ts";
import { createVectorBucket } from "../storage/vector-bucket.ts";

export type Tables = Readonly<Record<TableName, TableV2>>;
export type Data = {
  readonly tables: Tables;
  readonly objects: Objects;
  /** Name of the bucket for vectors; undefined where they are in a table. */
  readonly vectorBucket: string | undefined;
  /** Key that encrypts all of it; undefined where AWS's own keys do. */
  readonly key: IKey | undefined;
};

/** Resources that must survive a redeploy: one on-demand table for each layout, and the bucket for data too large for an item. */
export function createDataStack(scope: Construct, config: AppConfig): Data {
  const stack = new Stack(scope, "Data", {
    stackName: `agent-platform-${config.stage}-data`,
    description: "Tables and objects of the agent platform",
  });
  const key = createCustomerKey(stack, config);
  encryptWith(stack, key);
  const created = forEachTable((name) => createTable(stack, logicalId(name), tables[name], config));
  return {
    tables: created,
    objects: createObjectsBucket(stack, config, key),
    vectorBucket: createVectorBucket(stack, config, key),
    key,
  };
}

/** The table's id in the template: `service_accounts` becomes `ServiceAccounts`. */
const logicalId = (name: TableName): string =>
  name
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

function createTable(stack: Stack, id: string, layout: TableLayout, { disposable }: AppConfig): TableV2 {
  const table = new TableV2(stack, id, {
    partitionKey: text("pk"),
    sortKey: text("sk"),
    globalSecondaryIndexes: Object.entries(layout.indexes).map(indexOf),
    billing: Billing.onDemand(),
    timeToLiveAttribute: "expires_at",
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: !disposable },
    deletionProtection: !disposable,
    removalPolicy: disposable ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
  });
  if (disposable) {
    acknowledge(table, {
      "AwsSolutions-DDB3": "This stage is for trying out; its data goes when it is destroyed.",
    });
  }
  return table;
}

function indexOf([indexName, index]: [string, TableLayout["indexes"][string]]): GlobalSecondaryIndexPropsV2 {
  const keys = { indexName, partitionKey: text(index.pk), sortKey: text(index.sk) };
  if (index.project === "keys") return { ...keys, projectionType: ProjectionType.KEYS_ONLY };
  return { ...keys, projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...index.project] };
}

const text = (name: string) => ({ name, type: AttributeType.STRING });
