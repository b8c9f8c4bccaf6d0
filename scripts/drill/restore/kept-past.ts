import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { AwsReply } from "../../../local/aws/aws-http.ts";
import { readBody } from "../../../local/aws/read-body.ts";
import { type DynamoEngine, startDynamo } from "../../../local/dynamodb/dynamo-engine.ts";
import { dynamoProxy } from "../../../local/dynamodb/dynamo-proxy.ts";
import { serveOnLoopback } from "../../../local/machine/listen-on-loopback.ts";
import type { StoredRow } from "../../../package/recovery/stored-row.ts";
import { scanTable, writeRows } from "../../../package/recovery/table-access.ts";

/** A database that keeps its past, as far as a drill asks for it: it can be restored to instants that were marked. */
export type KeptPast = {
  readonly endpoint: string;
  /** Holds all requests until the second is full, and keeps the state of that instant. `also` is called while nothing is written. */
  readonly mark: (also: () => void) => Promise<Date>;
  readonly stop: () => Promise<void>;
};

const credentials = { accessKeyId: "LOCAL", secretAccessKey: "local" };
const clientAt = (endpoint: string) => new DynamoDBClient({ endpoint, region: "us-east-1", credentials });

/**
 * The local engine behind an address that answers what continuous backups need: `DescribeContinuousBackups` and
 * `RestoreTableToPointInTime`. A marked instant is a copy of the engine's file, which a second engine reads.
 */
export async function startKeptPast(folder: string): Promise<KeptPast> {
  const dbPath = join(folder, "now", "dynamo.db");
  const engine = await startDynamo({ dbPath });
  const proxy = dynamoProxy(engine.endpoint);
  const now = clientAt(engine.endpoint);
  const pasts = new Map<number, string>();
  const engines = new Map<number, Promise<DynamoEngine>>();
  let gate: Promise<void> = Promise.resolve();
  let inFlight = 0;

  const restore = async (input: Record<string, unknown>): Promise<AwsReply> => {
    const second = Math.floor(Number(input.RestoreDateTime));
    const path = pasts.get(second);
    if (path === undefined) return failure("InvalidRestoreTimeException", "This instant was not marked.");
    const started = engines.get(second) ?? startDynamo({ dbPath: path });
    engines.set(second, started);
    const past = clientAt((await started).endpoint);
    const [source, target] = [String(input.SourceTableName), String(input.TargetTableName)];
    try {
      await createPlain(now, target);
    } catch (error) {
      if (error instanceof Error && error.name === "ResourceInUseException")
        return failure("TableAlreadyExistsException", `Table already exists: ${target}`);
      throw error;
    }
    await scanTable(past, source, (rows) => putRows(now, target, rows));
    return json({ TableDescription: { TableName: target, TableStatus: "CREATING" } });
  };
  const own: Readonly<Record<string, (input: Record<string, unknown>) => Promise<AwsReply>>> = {
    "DynamoDB_20120810.RestoreTableToPointInTime": restore,
    "DynamoDB_20120810.DescribeContinuousBackups": async () => backupsOf([...pasts.keys()]),
  };

  const served = await serveOnLoopback(
    createServer({ keepAliveTimeout: 60_000 }, async (incoming, response) => {
      const body = await readBody(incoming);
      await gate;
      inFlight += 1;
      try {
        const act = own[String(incoming.headers["x-amz-target"])];
        const reply = act
          ? await act(JSON.parse(body.toString()))
          : await proxy.forward(incoming.headers, body);
        response.writeHead(reply.status, { ...reply.headers }).end(reply.body);
      } catch (error) {
        response.writeHead(500).end(String(error));
      } finally {
        inFlight -= 1;
      }
    }),
  );
  return {
    endpoint: served.address,
    async mark(also) {
      const held = Promise.withResolvers<void>();
      gate = held.promise;
      while (inFlight > 0) await pause(5);
      const second = Math.ceil(Date.now() / 1000);
      await pause(second * 1000 - Date.now());
      pasts.set(second, copyOf(dbPath, join(folder, String(second))));
      also();
      held.resolve();
      return new Date(second * 1000);
    },
    async stop() {
      await served.stop();
      proxy.close();
      now.destroy();
      for (const one of engines.values()) await (await one).stop();
      await engine.stop();
    },
  };
}

/** @param seconds  the instants that were marked */
const backupsOf = (seconds: readonly number[]): AwsReply =>
  json({
    ContinuousBackupsDescription: {
      ContinuousBackupsStatus: "ENABLED",
      PointInTimeRecoveryDescription: {
        PointInTimeRecoveryStatus: "ENABLED",
        EarliestRestorableDateTime: Math.min(...seconds),
        LatestRestorableDateTime: Math.max(...seconds),
      },
    },
  });

const putRows = (client: DynamoDBClient, table: string, rows: readonly StoredRow[]): Promise<void> =>
  writeRows(
    client,
    table,
    rows.map((row) => ({ PutRequest: { Item: { ...row } } })),
  );

/** Copies the database's file, with what is not yet in it. */
function copyOf(dbPath: string, folder: string): string {
  mkdirSync(folder, { recursive: true });
  const to = join(folder, "dynamo.db");
  for (const suffix of ["", "-wal", "-shm"])
    if (existsSync(dbPath + suffix)) copyFileSync(dbPath + suffix, to + suffix);
  return to;
}

const createPlain = (client: DynamoDBClient, TableName: string) =>
  client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: [
        { AttributeName: "pk", KeyType: "HASH" },
        { AttributeName: "sk", KeyType: "RANGE" },
      ],
      AttributeDefinitions: ["pk", "sk"].map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
    }),
  );

const type = { "content-type": "application/x-amz-json-1.0" };
const json = (body: object): AwsReply => ({ status: 200, headers: type, body: JSON.stringify(body) });
const failure = (name: string, message: string): AwsReply => ({
  status: 400,
  headers: type,
  body: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message }),
});
