import { DescribeTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import {
  DynamoDBDocumentClient,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
} from "@aws-sdk/lib-dynamodb";
import { countThrottles } from "../data/index.ts";
import { systemClock } from "../runtime/clock.ts";
import type { Meter } from "../runtime/metrics/meter.ts";
import { JOB_INDEX_SHARDS, RUN_INDEX_SHARDS } from "../settings/rows/storage.ts";
import { forEachTable, type TableEnv, type TableName, tableVariable } from "../settings/table-env.ts";
import { keptKeySigner } from "./kept-key-signer.ts";
import { connectObjects, type ObjectStore } from "./objects/connect-objects.ts";
import { type Outbox, openOutbox } from "./outbox/outbox.ts";

/** A connection, the names of the tables, and the bucket; every store function takes one. */
export type Db = {
  readonly client: DynamoDBDocumentClient;
  readonly objects: ObjectStore;
  readonly tables: Readonly<Record<TableName, string>>;
  /** Partitions of each status in the index of jobs. */
  readonly jobIndexShards: number;
  /** Partitions of the indexes of all runs, sessions and traces, and of each component's. */
  readonly runIndexShards: number;
  /** Days that a record of the audit is kept. */
  readonly auditRetentionDays: number;
  /** Where events are published to receivers; absent where there are no webhooks, no event bus and no task tokens. */
  readonly outbox?: Outbox | undefined;
};

type StoresEnv = TableEnv & {
  readonly STAGE?: string;
  readonly OBJECTS_BUCKET: string;
  readonly JOB_INDEX_SHARDS?: number;
  readonly RUN_INDEX_SHARDS?: number;
  readonly WEBHOOKS?: "on" | "off";
  readonly EVENT_BUS?: string | undefined;
  readonly TASK_TOKENS?: "true" | "false";
  readonly DELIVERY_RETENTION_DAYS?: number;
  readonly AUDIT_RETENTION_DAYS?: number;
};

const CONNECTION_TIMEOUT_MS = 1_000;
const REQUEST_TIMEOUT_MS = 5_000;

const DEFAULT_RETENTION_DAYS = 30;
const DEFAULT_AUDIT_DAYS = 400;

/**
 * Connects once per process. Endpoint, region and credentials come from the environment, as the SDK reads them.
 *
 * @param wake  wakes the worker of deliveries; given by functions that end runs
 */
export function connectDb(env: StoresEnv, wake?: Outbox["wake"]): Db {
  const client: DynamoDBClient = new DynamoDBClient({
    signer: keptKeySigner(() => client.config),
    maxAttempts: 3,
    requestHandler: { connectionTimeout: CONNECTION_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS },
  });
  countThrottles(client, throttleRecorder(env.STAGE));
  const tables = forEachTable((name) => env[tableVariable[name]]);
  const db = {
    ...dbOver(client, tables, connectObjects(env.OBJECTS_BUCKET), env.JOB_INDEX_SHARDS),
    runIndexShards: env.RUN_INDEX_SHARDS ?? RUN_INDEX_SHARDS,
    auditRetentionDays: env.AUDIT_RETENTION_DAYS ?? DEFAULT_AUDIT_DAYS,
  };
  const subscribers = {
    webhooks: env.WEBHOOKS === "on",
    bus: env.EVENT_BUS !== undefined,
    taskTokens: env.TASK_TOKENS === "true",
  };
  if (!Object.values(subscribers).includes(true)) return db;
  const retentionDays = env.DELIVERY_RETENTION_DAYS ?? DEFAULT_RETENTION_DAYS;
  const outbox = openOutbox(db.client, tables.outbox, { ...subscribers, retentionDays, wake }, systemClock);
  return { ...db, outbox };
}

/** Records calls that were refused. The meter is loaded with the first of them, which most processes never see. */
function throttleRecorder(stage = ""): () => Promise<void> {
  let loading: Promise<Meter> | undefined;
  return async () => {
    loading ??= import("../runtime/metrics/create-meter.ts").then((file) =>
      file.createMeter({ STAGE: stage }),
    );
    (await loading).record({ TableThrottles: 1 });
  };
}

/** The same over a client and an object store of the caller's. */
export function dbOver(
  client: DynamoDBClient,
  tables: Db["tables"],
  objects: ObjectStore,
  jobIndexShards = JOB_INDEX_SHARDS,
): Db {
  // Numbers beyond 2^53 are as exact here as in any JSON; without this they throw.
  const translate = {
    marshallOptions: { removeUndefinedValues: true, allowImpreciseNumbers: true },
    unmarshallOptions: { wrapNumbers: Number },
  };
  for (const name of unneeded) client.middlewareStack.remove(name);
  replaceLoneSurrogates(client);
  return {
    client: DynamoDBDocumentClient.from(client, translate),
    tables,
    objects,
    jobIndexShards,
    runIndexShards: RUN_INDEX_SHARDS,
    auditRetentionDays: DEFAULT_AUDIT_DAYS,
  };
}

/**
 * Middlewares of the SDK that cost a tenth of a call and do nothing for this database: a logger that is not set, the version of
 * the SDK for AWS's statistics, and a mark against functions that start themselves, which DynamoDB does not read.
 */
const unneeded = ["loggerMiddleware", "getUserAgentMiddleware", "recursionDetectionMiddleware"];

/**
 * Makes a client send U+FFFD in place of a lone surrogate, which DynamoDB does not store. A lone surrogate is left when
 * a text was cut within an emoji: by a preview here, by a tool, by a model.
 */
function replaceLoneSurrogates(client: DynamoDBClient): void {
  client.middlewareStack.add(
    (next) => (args) => {
      if (hasBytes(args.request)) replaceIn(args.request.body);
      return next(args);
    },
    // After the body is serialized, and before it is signed.
    { name: "replaceLoneSurrogates", step: "build", override: true },
  );
}

const hasBytes = (request: unknown): request is { readonly body: Uint8Array } =>
  typeof request === "object" && request !== null && "body" in request && request.body instanceof Uint8Array;

/** How a lone surrogate begins in the SDK's JSON; whole pairs are UTF-8, and nothing else is escaped like that. */
const LONE_SURROGATE = "\\ud";

function replaceIn({ buffer, byteOffset, byteLength }: Uint8Array): void {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  for (let at = bytes.indexOf(LONE_SURROGATE); at >= 0; at = bytes.indexOf(LONE_SURROGATE, at + 1)) {
    if (!isEscaped(bytes, at)) bytes.write("fffd", at + 2);
  }
}

const BACKSLASH = 0x5c;

/** Whether a backslash is escaped itself, because an odd number of others is before it. */
function isEscaped(bytes: Buffer, at: number): boolean {
  let before = at;
  while (bytes[before - 1] === BACKSLASH) before--;
  return (at - before) % 2 === 1;
}

/** States in which a table takes reads and writes. A key that is not accessible has a state of its own. */
const active: readonly (string | undefined)[] = ["ACTIVE", "UPDATING"];

/** Whether a table is there and takes requests. Asks for its description: that takes no right to read what is in it. */
export async function isTableActive({ client }: Pick<Db, "client">, TableName: string): Promise<boolean> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  return active.includes(Table?.TableStatus);
}

/** The pages of a query, read as they are consumed. DynamoDB decides where a page ends. */
export async function* queryPages(
  db: Db,
  input: QueryCommandInput,
): AsyncGenerator<QueryCommandOutput, undefined> {
  let start: QueryCommandInput["ExclusiveStartKey"];
  do {
    const page: QueryCommandOutput = await db.client.send(
      new QueryCommand({ ...input, ...(start && { ExclusiveStartKey: start }) }),
    );
    yield page;
    start = page.LastEvaluatedKey;
  } while (start);
  return undefined;
}
