import { createHash } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Cloud } from "../../local/cloud.ts";
import { openS3 } from "../../local/s3/s3.ts";
import { fixtureCloud, installed, temporaryFolder } from "./fixture-cloud.ts";

/** Does what the request asks with the real client, and returns how that went. */
const client = `
import { createHash } from "node:crypto";
import { S3Client, PutObjectCommand, GetObjectCommand, HeadObjectCommand, CopyObjectCommand, DeleteObjectCommand, ListObjectsV2Command, ListBucketsCommand } from ${installed("@aws-sdk/client-s3")};
const s3 = new S3Client({ maxAttempts: 1 });
const { BUCKET: Bucket } = process.env;
const textOf = async (Key) => (await s3.send(new GetObjectCommand({ Bucket, Key }))).Body.transformToString();
const put = (Key, Body, more) => s3.send(new PutObjectCommand({ Bucket, Key, Body, ...more }));
const doing = {
  roundtrip: async () => {
    const Body = Buffer.from("héllo");
    const ChecksumSHA256 = createHash("sha256").update(Body).digest("base64");
    await put("sessions/=a%40b/s 1/x+y", Body, { ChecksumSHA256 });
    await put("sessions/=a%40b/s 1/large", Buffer.alloc(5_000_000, "x"));
    return [await textOf("sessions/=a%40b/s 1/x+y"), (await textOf("sessions/=a%40b/s 1/large")).length];
  },
  damaged: () => put("sessions/d", "hello", { ChecksumSHA256: createHash("sha256").update("other").digest("base64") }),
  missing: () => textOf("sessions/none"),
  head: async () => (await s3.send(new HeadObjectCommand({ Bucket, Key: "sessions/=a%40b/s 1/large" }))).ContentLength,
  list: async () => (await s3.send(new ListObjectsV2Command({ Bucket, Prefix: "sessions/=a%40b/" }))).Contents.map(({ Key }) => Key),
  remove: async () => {
    await put("sessions/doomed", "x");
    await s3.send(new DeleteObjectCommand({ Bucket, Key: "sessions/doomed" }));
    await s3.send(new DeleteObjectCommand({ Bucket, Key: "sessions/doomed" }));
    return textOf("sessions/doomed");
  },
  range: async () => {
    const Key = "sessions/=a%40b/s 1/large";
    const { Body, ContentRange } = await s3.send(new GetObjectCommand({ Bucket, Key, Range: "bytes=4999998-9999999" }));
    const behind = await s3.send(new GetObjectCommand({ Bucket, Key, Range: "bytes=5000000-5000001" })).catch(({ name }) => name);
    return [await Body.transformToString(), ContentRange, behind];
  },
  copy: async () => {
    const CopySource = [Bucket, ..."sessions/=a%40b/s 1/x+y".split("/").map(encodeURIComponent)].join("/");
    await s3.send(new CopyObjectCommand({ Bucket, Key: "sessions/copied", CopySource }));
    return textOf("sessions/copied");
  },
  copyFromElsewhere: () => s3.send(new CopyObjectCommand({ Bucket, Key: "sessions/copied", CopySource: Bucket + "/private/x" })),
  elsewhere: () => put("private/x", "x"),
  get: () => textOf("sessions/=a%40b/s 1/x+y"),
  buckets: () => s3.send(new ListBucketsCommand({})),
};
export const handler = async ({ rawPath }) => {
  const what = rawPath.split("/")[2];
  if (!doing[what]) return "did nothing";
  try {
    return { ok: true, result: await doing[what]() };
  } catch (error) {
    return { ok: false, error: error.name };
  }
};`;

const bucketArn = { "Fn::GetAtt": ["Objects", "Arn"] };
const environment = { BUCKET: { Ref: "Objects" } };
const dataDir = temporaryFolder();

let cloud: Cloud;
beforeAll(async () => {
  cloud = await fixtureCloud({
    dataDir,
    functions: {
      keeper: {
        code: client,
        environment,
        allow: [
          {
            actions: ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"],
            resource: { "Fn::Join": ["", [bucketArn, "/sessions/*"]] },
          },
          { actions: ["s3:ListBucket"], resource: bucketArn },
        ],
      },
      stranger: { code: client, environment },
    },
    routes: { "GET /keeper/{do}": "keeper", "GET /stranger/{do}": "stranger" },
    resources: { Objects: { Type: "AWS::S3::Bucket", Properties: {} } },
  });
});
afterAll(async () => {
  await cloud.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const ask = async (path: string): Promise<unknown> => (await fetch(`${cloud.url}${path}`)).json();

test("objects come back as they were written, whatever their key holds", async () => {
  expect(await ask("/keeper/roundtrip")).toEqual({ ok: true, result: ["héllo", 5_000_000] });
  expect(await ask("/keeper/head")).toEqual({ ok: true, result: 5_000_000 });
});

test("a list gives the keys under a prefix", async () => {
  await ask("/keeper/roundtrip");
  const result = ["sessions/=a%40b/s 1/large", "sessions/=a%40b/s 1/x+y"];
  expect(await ask("/keeper/list")).toEqual({ ok: true, result });
});

test("an object that was removed, or never was, is missing by S3's name for it", async () => {
  expect(await ask("/keeper/missing")).toEqual({ ok: false, error: "NoSuchKey" });
  expect(await ask("/keeper/remove")).toEqual({ ok: false, error: "NoSuchKey" });
});

test("bytes that do not fit their checksum are refused", async () => {
  expect(await ask("/keeper/damaged")).toEqual({ ok: false, error: "BadDigest" });
});

test("parts of objects are given, and copies made", async () => {
  await ask("/keeper/roundtrip");
  const range = ["xx", "bytes 4999998-4999999/5000000", "InvalidRange"];
  expect(await ask("/keeper/range")).toEqual({ ok: true, result: range });
  expect(await ask("/keeper/copy")).toEqual({ ok: true, result: "héllo" });
});

test.each(["/stranger/get", "/keeper/copyFromElsewhere", "/keeper/elsewhere", "/keeper/buckets"])(
  "%s is denied to whom it was not granted",
  async (path) => {
    expect(await ask(path)).toMatchObject({ ok: false, error: expect.stringMatching(/AccessDenied/) });
  },
);

test("what was acknowledged is there after any end of the process, and half-written files are no objects", async () => {
  await ask("/keeper/roundtrip");
  // Nothing is closed or flushed in between: a second process sees the same folder.
  const again = openS3(join(dataDir, "s3"));
  const [Bucket = ""] = readdirSync(join(dataDir, "s3"));
  const body = { Bucket, Key: "sessions/=a%40b/s 1/large" };
  const answer = await again.answer({ service: "s3", operation: "GetObject", body }, {}, Buffer.alloc(0));
  const sha256 = createHash("sha256").update(Buffer.alloc(5_000_000, "x")).digest("hex");
  expect(createHash("sha256").update(answer.body).digest("hex")).toBe(sha256);
  const prefix = { Bucket, Prefix: "" };
  const list = await again.answer(
    { service: "s3", operation: "ListObjectsV2", body: prefix },
    {},
    Buffer.alloc(0),
  );
  expect(String(list.body)).not.toContain("~");
});

test("a list leaves out what is removed while it is made", async () => {
  const s3 = openS3(join(dataDir, "s3-alone"));
  await s3.createBuckets(["bucket"]);
  const ask = (operation: string, body: object) =>
    s3.answer({ service: "s3", operation, body: { Bucket: "bucket", ...body } }, {}, Buffer.from("x"));
  const changing = Array.from({ length: 4 }, async (_, lane) => {
    for (let i = 0; i < 300; i++) {
      await ask("PutObject", { Key: `key-${lane}` });
      await ask("DeleteObject", { Key: `key-${lane}` });
    }
  });
  const listing = Array.from({ length: 2 }, async () => {
    for (let i = 0; i < 300; i++) await ask("ListObjectsV2", { Prefix: "" });
  });
  await Promise.all([...changing, ...listing]);
});
