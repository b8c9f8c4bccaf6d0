import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { type TableEnv, type TableName, tableNames, tableVariable } from "../runtime/table-env.ts";

/** A connection and the names of the tables; every store function takes one. */
export type Db = {
  readonly client: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<TableName, string>>;
};

const CONNECTION_TIMEOUT_MS = 1_000;
const REQUEST_TIMEOUT_MS = 5_000;

/** Connects once per process. Endpoint, region and credentials come from the environment, as the SDK reads them. */
export function connectDb(env: TableEnv): Db {
  const client = new DynamoDBClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: CONNECTION_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS },
  });
  const named = tableNames.map((name) => [name, env[tableVariable[name]]]);
  // One entry for each name of the list; the compiler forgets the names on the way through entries.
  return dbOver(client, Object.fromEntries(named) as Db["tables"]);
}

/** The same over a client of the caller's. */
export function dbOver(client: DynamoDBClient, tables: Db["tables"]): Db {
  const translate = { marshallOptions: { removeUndefinedValues: true } };
  return { client: DynamoDBDocumentClient.from(client, translate), tables };
}
