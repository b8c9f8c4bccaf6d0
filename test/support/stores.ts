import { DeleteTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { createTables } from "../../local/dynamodb/create-tables.ts";
import { type DynamoEngine, startDynamo } from "../../local/dynamodb/dynamo-engine.ts";
import type { TableName } from "../../shared/settings/table-env.ts";
import { type Db, dbOver } from "../../shared/stores/db.ts";
import { type TableLayout, tables } from "../../shared/stores/tables.ts";
import { type ObjectsInMemory, objectsInMemory } from "./objects-in-memory.ts";
import { SHARED_DYNAMODB } from "./shared-dynamodb.ts";
import { simulatedDb } from "./simulated/client.ts";
import { simulatedTables } from "./simulated/table.ts";

export type TestStores = {
  readonly db: Db;
  readonly objects: ObjectsInMemory;
  readonly endpoint: string;
  readonly stop: () => Promise<void>;
};

const region = "us-east-1";
const credentials = { accessKeyId: "LOCAL", secretAccessKey: "local" };

let made = 0;

/**
 * Creates every table of the layouts, under names that no other process uses: in the engine that all tests of a run share, or
 * else in an engine of its own. `stop` deletes them. `DYNAMODB_ENGINE` names the engine; `simulated` is the model that
 * simulated worlds are played on, which passes the same tests.
 */
export async function startStores(): Promise<TestStores> {
  if (process.env.DYNAMODB_ENGINE === "simulated") return simulatedStores();
  const engine = sharedEngine() ?? (await startDynamo());
  const suffix = `-${process.pid}-${Date.now()}-${++made}`;
  const named = (Object.keys(tables) as TableName[]).map((name) => [name, `${name}${suffix}`] as const);
  await createTables(
    engine.endpoint,
    named.map(([table, name]) => tableModel(name, tables[table])),
  );
  const client = new DynamoDBClient({ endpoint: engine.endpoint, region, credentials });
  const objects = objectsInMemory();
  return {
    db: dbOver(client, Object.fromEntries(named) as Record<TableName, string>, objects),
    objects,
    endpoint: engine.endpoint,
    stop: async () => {
      // The engine takes longer to create a table, the more it has: 0.5 s of a processor for these when 100 sets were left.
      await Promise.all(named.map(([, TableName]) => client.send(new DeleteTableCommand({ TableName }))));
      client.destroy();
      await engine.stop();
    },
  };
}

function sharedEngine(): DynamoEngine | undefined {
  const endpoint = process.env[SHARED_DYNAMODB];
  return endpoint ? { endpoint, stop: async () => {} } : undefined;
}

function simulatedStores(): TestStores {
  const { perform } = simulatedTables({
    now: () => 0,
    indexLagMs: () => 0,
    readLagMs: () => 0,
    pageItems: 100,
    onWritten: () => {},
  });
  const objects = objectsInMemory();
  return {
    db: { ...simulatedDb(async (operation, request) => perform(operation, request), 1), objects },
    objects,
    endpoint: "",
    stop: async () => {},
  };
}

function tableModel(name: string, layout: TableLayout) {
  const indexes = Object.entries(layout.indexes);
  const attributes = new Set(["pk", "sk", ...indexes.flatMap(([, { pk, sk }]) => [pk, sk])]);
  return {
    name,
    KeySchema: keySchema("pk", "sk"),
    AttributeDefinitions: [...attributes].map((AttributeName) => ({
      AttributeName,
      AttributeType: "S" as const,
    })),
    TimeToLiveSpecification: { AttributeName: "expires_at", Enabled: true },
    ...(indexes.length > 0 && {
      GlobalSecondaryIndexes: indexes.map(([IndexName, { pk, sk, project }]) => ({
        IndexName,
        KeySchema: keySchema(pk, sk),
        Projection:
          project === "keys"
            ? { ProjectionType: "KEYS_ONLY" as const }
            : { ProjectionType: "INCLUDE" as const, NonKeyAttributes: [...project] },
      })),
    }),
  };
}

const keySchema = (pk: string, sk: string) => [
  { AttributeName: pk, KeyType: "HASH" as const },
  { AttributeName: sk, KeyType: "RANGE" as const },
];
