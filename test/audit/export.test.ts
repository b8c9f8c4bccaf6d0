import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { exportSeals, sealAudit } from "../../shared/stores/audit/seal-audit.ts";
import { auditWriter } from "../../shared/stores/audit/write-audit.ts";
import { connectObjects } from "../../shared/stores/objects/connect-objects.ts";
import { startS3Endpoint } from "../support/s3-endpoint.ts";
import { startStores, type TestStores } from "../support/stores.ts";

const BUCKET = "audit-of-a-test";
let stores: TestStores;
let s3: Awaited<ReturnType<typeof startS3Endpoint>>;
beforeAll(async () => {
  [stores, s3] = await Promise.all([startStores(), startS3Endpoint(BUCKET)]);
  vi.stubEnv("AWS_ENDPOINT_URL_S3", s3.endpoint);
  vi.stubEnv("AWS_REGION", "us-east-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "LOCAL");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "local");
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await Promise.all([stores.stop(), s3.stop()]);
});

test("seals are exported to a bucket with the client of S3, and what fails is exported later", async () => {
  const { db } = stores;
  const at_ms = Date.UTC(2032, 4, 1, 12);
  await auditWriter(db)({ at_ms, operation: "tested", target: { name: "exported" } });
  const [seal] = await sealAudit(db, true, at_ms + 60_000);
  await expect(exportSeals(db, connectObjects("another-bucket"))).rejects.toThrow();

  const bucket = connectObjects(BUCKET);
  expect(await exportSeals(db, bucket)).toBe(1);
  const bytes = await bucket.get(`audit/2032-05-01/${String(seal?.number).padStart(8, "0")}.jsonl`);
  const lines = Buffer.from(bytes ?? [])
    .toString("utf8")
    .trimEnd()
    .split("\n");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { hash: seal?.hash },
    { operation: "tested", target: { name: "exported" } },
  ]);
  expect(await exportSeals(db, bucket)).toBe(0);
});
