import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { TableName } from "./tables.ts";

/** A connection and the names of the tables; every store function takes one. */
export type Db = {
  readonly client: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<TableName, string>>;
};

const CONNECTION_TIMEOUT_MS = 1_000;
const REQUEST_TIMEOUT_MS = 5_000;

/** Connects once per process. Endpoint, region and credentials come from the environment, as the SDK reads them. */
export function connectDb(env: { JOBS_TABLE: string; RUNS_TABLE: string; SESSIONS_TABLE: string }): Db {
  const client = new DynamoDBClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: CONNECTION_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS },
  });
  return dbOver(client, { jobs: env.JOBS_TABLE, runs: env.RUNS_TABLE, sessions: env.SESSIONS_TABLE });
}

/** The same over a client of the caller's. */
export function dbOver(client: DynamoDBClient, tables: Db["tables"]): Db {
  const translate = { marshallOptions: { removeUndefinedValues: true } };
  return { client: DynamoDBDocumentClient.from(client, translate), tables };
}
