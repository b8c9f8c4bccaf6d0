import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDestination } from "../../package/recovery/export/destination.ts";
import { exportStage } from "../../package/recovery/export/export-stage.ts";
import { restoredTables } from "../../package/recovery/restored-tables.ts";
import { writeRows } from "../../package/recovery/table-access.ts";
import { startS3Endpoint } from "../support/s3-endpoint.ts";
import { startStores, type TestStores } from "../support/stores.ts";

const BUCKET = "objects";
const NOW = Date.UTC(2026, 10, 27);
const folder = mkdtempSync(join(tmpdir(), "export-"));
let stores: TestStores;
let bucket: Awaited<ReturnType<typeof startS3Endpoint>>;
let dynamo: DynamoDBClient;
let s3: S3Client;

beforeAll(async () => {
  [stores, bucket] = await Promise.all([startStores(), startS3Endpoint(BUCKET)]);
  const shared = { region: "us-east-1", credentials: { accessKeyId: "LOCAL", secretAccessKey: "local" } };
  dynamo = new DynamoDBClient({ ...shared, endpoint: stores.endpoint });
  s3 = new S3Client({ ...shared, endpoint: bucket.endpoint, forcePathStyle: true });
});

afterAll(async () => {
  dynamo.destroy();
  s3.destroy();
  await Promise.all([stores.stop(), bucket.stop()]);
  rmSync(folder, { recursive: true });
});

const place = () => ({
  resources: {
    ...{ stage: "prod", region: "us-east-1", tables: stores.db.tables, bucket: BUCKET },
    ...{ hasVectorBucket: false, functions: [], mappings: [], sweeper: "", scheduleReconcile: "" },
  },
  dynamo,
  s3,
  now: () => NOW,
  say: () => {},
});

const linesOf = (table: string): unknown[] =>
  readFileSync(join(folder, "tables", table, "00000.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

test("every item is a line as DynamoDB's imports read it, every object a file, and tokens are left out", async () => {
  const { runs, service_accounts } = stores.db.tables;
  const item = {
    pk: { S: "session#a" },
    sk: { S: "run#1" },
    n: { N: "12" },
    packed: { B: new Uint8Array([1, 2]) },
  };
  await writeRows(dynamo, runs, [{ PutRequest: { Item: item } }]);
  const token = { pk: { S: "token#00" }, sk: { S: "token" } };
  await writeRows(dynamo, service_accounts, [{ PutRequest: { Item: token } }]);
  await s3.send(new PutObjectCommand({ Bucket: BUCKET, Key: "sessions/x/a b", Body: "bytes" }));
  await s3.send(new PutObjectCommand({ Bucket: BUCKET, Key: "recovery/restore.json", Body: "{}" }));

  const exported = await exportStage(place(), openDestination(folder, s3), restoredTables());

  expect(linesOf("runs")).toEqual([{ Item: { ...item, packed: { B: "AQI=" } } }]);
  expect(readFileSync(join(folder, "objects/sessions/x/a b"), "utf8")).toBe("bytes");
  expect(exported).toMatchObject({ format: 1, stage: "prod", objects: { count: 1, bytes: 5 } });
  expect(exported.tables.runs).toEqual({ items: 1, files: 1 });
  expect(exported.tables.jobs).toEqual({ items: 0, files: 0 });
  expect(exported.tables.service_accounts).toBeUndefined();
  expect(JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"))).toEqual(exported);
});

test("the same goes into a bucket, below a prefix", async () => {
  const exported = await exportStage(place(), openDestination(`s3://${BUCKET}/backups/today`, s3), ["runs"]);
  expect(Object.keys(exported.tables)).toEqual(["runs"]);
  await exportStage(place(), openDestination(folder, s3), []);
  const manifest = readFileSync(join(folder, "objects/backups/today/manifest.json"), "utf8");
  expect(JSON.parse(manifest)).toEqual(exported);
});

test("a key that would lead out of the folder stays in it", async () => {
  await openDestination(folder, s3).put("objects/../../x", Buffer.from("bytes"));
  expect(readFileSync(join(folder, "objects/%2E%2E/%2E%2E/x"), "utf8")).toBe("bytes");
});

test("an address of S3 names a bucket", () => {
  expect(() => openDestination("s3:///x", s3)).toThrow("names no bucket");
});
