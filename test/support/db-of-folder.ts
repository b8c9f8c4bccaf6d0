import { join } from "node:path";
import { DynamoDBClient, ListTablesCommand } from "@aws-sdk/client-dynamodb";
import { startDynamo } from "../../local/dynamodb/dynamo-engine.ts";
import { forEachTable } from "../../shared/settings/table-env.ts";
import { type Db, dbOver } from "../../shared/stores/db.ts";
import { objectsInMemory } from "./objects-in-memory.ts";

/** The database of a data folder, new or left by a platform. No other process may use the folder meanwhile. */
export async function dynamoOfFolder(
  dataDir: string,
): Promise<{ client: DynamoDBClient; stop: () => Promise<void> }> {
  const engine = await startDynamo({ dbPath: join(dataDir, "dynamo.db") });
  const credentials = { accessKeyId: "LOCAL", secretAccessKey: "local" };
  const client = new DynamoDBClient({ endpoint: engine.endpoint, region: "us-east-1", credentials });
  return {
    client,
    stop: async () => {
      client.destroy();
      await engine.stop();
    },
  };
}

/** The tables that a platform has left in its data folder. */
export async function dbOfFolder(dataDir: string): Promise<{ db: Db; stop: () => Promise<void> }> {
  const { client, stop } = await dynamoOfFolder(dataDir);
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  const plain = (name: string) => name.toLowerCase().replace(/[^a-z]/g, "");
  const named = forEachTable(
    (name) => TableNames.find((one) => plain(one).includes(`data${plain(name)}`)) ?? name,
  );
  return { db: dbOver(client, named, objectsInMemory()), stop };
}
