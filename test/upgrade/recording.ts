import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync, gzipSync } from "node:zlib";
import {
  type AttributeValue,
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  type DynamoDBClient,
  ListTablesCommand,
  PutItemCommand,
  ScanCommand,
} from "@aws-sdk/client-dynamodb";
import type { Entry } from "../../local/scheduler/entry.ts";
import { openEntryFile } from "../../local/scheduler/entry-file.ts";
import { openSqs } from "../../local/sqs/sqs.ts";
import { dynamoOfFolder } from "../support/db-of-folder.ts";
import type { Furnished } from "./furnish.ts";

type Item = Record<string, AttributeValue>;
type Table = {
  readonly definition: CreateTableCommandInput;
  readonly items: readonly Item[];
};
type Queue = { readonly name: string; readonly arn: string; readonly bodies: readonly string[] };

/** What a release has left in its tables, queues, scheduler and bucket when it was killed at work. */
export type Recording = {
  readonly release: string;
  /** What was made there, by ids. */
  readonly made: Furnished;
  readonly tables: readonly Table[];
  /** Messages that had not been received yet, or not to their end. */
  readonly queues: readonly Queue[];
  readonly entries: readonly Entry[];
  /** Files of the objects' store, in base64, by path. */
  readonly objects: Readonly<Record<string, string>>;
};

const folder = join(import.meta.dirname, "releases");

export const recordedReleases = (): string[] => readdirSync(folder).map((name) => basename(name, ".json.gz"));

export const readRecording = (release: string): Recording =>
  JSON.parse(gunzipSync(readFileSync(fileOf(release))).toString(), bytesAgain);

export const writeRecording = (recording: Recording): void =>
  writeFileSync(fileOf(recording.release), gzipSync(JSON.stringify(recording, bytesAsText), { level: 9 }));

const fileOf = (release: string): string => join(folder, `${release}.json.gz`);

/** Bytes of an attribute: JSON has none. */
const bytesAsText = (_name: string, value: unknown): unknown =>
  value instanceof Uint8Array ? { base64: Buffer.from(value).toString("base64") } : value;
const bytesAgain = (_name: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && "base64" in value && typeof value.base64 === "string"
    ? Buffer.from(value.base64, "base64")
    : value;

/** Reads what is left in a data folder that no process uses. */
export async function recordingOf(dataDir: string, release: string, made: Furnished): Promise<Recording> {
  return {
    ...{ release, made },
    tables: await withTables(dataDir, tablesOf),
    queues: queuesOf(join(dataDir, "sqs", "fauxqs.db")),
    entries: entriesOf(dataDir),
    objects: filesBelow(join(dataDir, "s3")),
  };
}

/** The recording with one slot of each schedule that the scheduler has just delivered. */
export function delivered(recording: Recording, at: Date): Recording {
  const bodies = (queueArn: string): string[] =>
    recording.entries
      .filter(({ Target }) => Target.Arn === queueArn)
      .map(({ Target }) => Target.Input.replace("<aws.scheduler.scheduled-time>", at.toISOString()));
  const queues = recording.queues.map((queue) => ({
    ...queue,
    bodies: [...queue.bodies, ...bodies(queue.arn)],
  }));
  return { ...recording, queues };
}

/** Leaves in an empty data folder what the release had left, under the names that it had there. */
export async function restore(
  dataDir: string,
  { tables, queues, entries, objects }: Recording,
): Promise<void> {
  mkdirSync(dataDir, { recursive: true });
  await withTables(dataDir, async (client) => {
    for (const { definition, items } of tables) {
      await client.send(new CreateTableCommand(definition));
      for (const Item of items)
        await client.send(new PutItemCommand({ TableName: definition.TableName, Item }));
    }
  });
  mkdirSync(join(dataDir, "sqs"));
  const sqs = await openSqs(join(dataDir, "sqs"));
  sqs.createQueues(queues.map(({ name, arn }) => ({ name, arn, attributes: {} })));
  for (const { name, bodies } of queues)
    for (const MessageBody of bodies)
      await sqs.answer("AmazonSQS.SendMessage", JSON.stringify({ QueueUrl: urlOf(name), MessageBody }));
  await sqs.stop();
  const file = openEntryFile(join(dataDir, "scheduler.db"));
  for (const entry of entries) file.put(entry);
  file.close();
  for (const [path, base64] of Object.entries(objects)) {
    const target = join(dataDir, "s3", path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, Buffer.from(base64, "base64"));
  }
}

const urlOf = (queue: string): string => `http://localhost/000000000000/${queue}`;

async function withTables<T>(dataDir: string, work: (client: DynamoDBClient) => Promise<T>): Promise<T> {
  const { client, stop } = await dynamoOfFolder(dataDir);
  try {
    return await work(client);
  } finally {
    await stop();
  }
}

async function tablesOf(client: DynamoDBClient): Promise<Table[]> {
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  const found: Table[] = [];
  for (const TableName of TableNames) {
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    const { KeySchema = [], AttributeDefinitions = [], GlobalSecondaryIndexes = [] } = Table ?? {};
    const indexes = GlobalSecondaryIndexes.map(({ IndexName, KeySchema, Projection }) => ({
      ...{ IndexName, KeySchema, Projection },
    }));
    const items: Item[] = [];
    let ExclusiveStartKey: Item | undefined;
    do {
      const page = await client.send(new ScanCommand({ TableName, ExclusiveStartKey }));
      items.push(...(page.Items ?? []));
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey);
    const definition = {
      ...{ TableName, KeySchema, AttributeDefinitions, BillingMode: "PAY_PER_REQUEST" as const },
      ...(indexes.length > 0 && { GlobalSecondaryIndexes: indexes }),
    };
    found.push({ definition, items });
  }
  return found;
}

function queuesOf(file: string): Queue[] {
  const db = new DatabaseSync(file, { readOnly: true });
  const bodies = db.prepare("SELECT body FROM sqs_messages WHERE queue_name = ?");
  const queues = db
    .prepare("SELECT name, arn FROM sqs_queues")
    .all()
    .map(({ name, arn }) => ({
      name: String(name),
      arn: String(arn),
      bodies: bodies.all(name ?? null).map(({ body }) => String(body)),
    }));
  db.close();
  return queues;
}

function entriesOf(dataDir: string): Entry[] {
  const file = openEntryFile(join(dataDir, "scheduler.db"));
  const entries = file.read();
  file.close();
  return entries;
}

const filesBelow = (top: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(top, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [path.slice(top.length + 1), readFileSync(path).toString("base64")]),
  );
