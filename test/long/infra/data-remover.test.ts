import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CloudFormationCustomResourceEvent } from "aws-lambda";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { readBody } from "../../../local/aws/read-body.ts";
import { serveOnLoopback } from "../../../local/machine/listen-on-loopback.ts";
import { openS3, type S3 } from "../../../local/s3/s3.ts";
import { s3RequestOf } from "../../../local/s3/s3-request.ts";
import { startVectorEndpoint, VECTOR_BUCKET, type VectorEndpoint } from "../../support/vector-endpoint.ts";

const BUCKET = "objects-of-a-test";
const folder = mkdtempSync(join(tmpdir(), "data-remover-"));
const s3: S3 = openS3(folder);
const stops: (() => Promise<void>)[] = [];
let vectors: VectorEndpoint;
let answerAddress: string;
let refused = false;
let answers: Record<string, unknown>[] = [];
let handler: (event: CloudFormationCustomResourceEvent) => Promise<void>;

beforeAll(async () => {
  await s3.createBuckets([BUCKET]);
  vectors = await startVectorEndpoint();
  const objects = await serveOnLoopback(
    createServer(async (incoming, response) => {
      const body = await readBody(incoming);
      if (refused) return void response.writeHead(403).end("<Error><Code>AccessDenied</Code></Error>");
      const request = s3RequestOf(incoming.method ?? "", incoming.url ?? "");
      const answer = await s3.answer(request, incoming.headers, body);
      response.writeHead(answer.status, answer.headers).end(answer.body);
    }),
  );
  const cloudFormation = await serveOnLoopback(
    createServer(async (incoming, response) => {
      answers.push(JSON.parse((await readBody(incoming)).toString()));
      response.end();
    }),
  );
  answerAddress = cloudFormation.address;
  stops.push(objects.stop, cloudFormation.stop, vectors.stop);
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_S3: objects.address,
    AWS_ENDPOINT_URL_S3VECTORS: vectors.endpoint,
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "LOCAL",
    AWS_SECRET_ACCESS_KEY: "local",
    POWERTOOLS_SERVICE_NAME: "data-remover",
    OBJECTS_BUCKET: BUCKET,
    VECTOR_BUCKET,
  });
  ({ handler } = await import("../../../functions/data-remover/index.ts"));
});
beforeEach(() => {
  answers = [];
});
afterAll(async () => {
  for (const stop of stops) await stop();
  rmSync(folder, { recursive: true, force: true });
});

const ask = (RequestType: "Create" | "Update" | "Delete") =>
  handler({
    RequestType,
    ResponseURL: answerAddress,
    StackId: "arn:aws:cloudformation:us-east-1:000000000000:stack/agent-platform-dev-data/4711",
    RequestId: "r-1",
    LogicalResourceId: "DataRemoval",
  } as CloudFormationCustomResourceEvent); // what the function reads of it

async function fill(count: number): Promise<void> {
  const put = async (i: number) =>
    void (await s3.answer(
      { service: "s3", operation: "PutObject", body: { Bucket: BUCKET, Key: `sessions/${i % 7}/${i}` } },
      {},
      Buffer.from("x"),
    ));
  await Promise.all(Array.from({ length: count }, (_, i) => put(i)));
  const { S3VectorsClient, CreateIndexCommand } = await import("@aws-sdk/client-s3vectors");
  const client = new S3VectorsClient({});
  for (const indexName of ["base-one", "base-two"])
    await client.send(
      new CreateIndexCommand({
        vectorBucketName: VECTOR_BUCKET,
        indexName,
        dimension: 4,
        dataType: "float32",
        distanceMetric: "cosine",
      }),
    );
}

async function left(): Promise<{ readonly objects: number; readonly indexes: number }> {
  const { S3VectorsClient, ListIndexesCommand } = await import("@aws-sdk/client-s3vectors");
  const { S3Client, ListObjectsV2Command } = await import("@aws-sdk/client-s3");
  const { Contents = [] } = await new S3Client({}).send(new ListObjectsV2Command({ Bucket: BUCKET }));
  const { indexes = [] } = await new S3VectorsClient({}).send(
    new ListIndexesCommand({ vectorBucketName: VECTOR_BUCKET }),
  );
  return { objects: Contents.length, indexes: indexes.length };
}

const answered = (more: object) => [
  expect.objectContaining({ PhysicalResourceId: "data-remover", RequestId: "r-1", ...more }),
];

test("making or changing the stack removes nothing; deleting it removes every object and every index", async () => {
  await fill(1_100);
  await ask("Create");
  await ask("Update");
  expect(await left()).toEqual({ objects: 1_000, indexes: 2 });
  expect(answers).toHaveLength(2);
  await ask("Delete");
  expect(await left()).toEqual({ objects: 0, indexes: 0 });
  expect(answers.slice(2)).toEqual(answered({ Status: "SUCCESS" }));
});

test("deleting it again finds nothing and succeeds", async () => {
  await ask("Delete");
  expect(answers).toEqual(answered({ Status: "SUCCESS" }));
});

test("what cannot be removed fails the deletion with its reason, instead of leaving the stack waiting", async () => {
  refused = true;
  await ask("Delete");
  expect(answers).toEqual(answered({ Status: "FAILED", Reason: expect.stringContaining("AccessDenied") }));
  refused = false;
});

test("a bucket that an operator has deleted by hand is no obstacle", async () => {
  rmSync(join(folder, BUCKET), { recursive: true });
  await ask("Delete");
  expect(answers).toEqual(answered({ Status: "SUCCESS" }));
});
