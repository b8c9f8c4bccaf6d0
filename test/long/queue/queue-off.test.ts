import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, clientOf } from "../../support/client.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";

let platform: TestPlatform;
let maria: Client;
let admin: Client;
beforeAll(async () => {
  platform = await startPlatform({ env: { QUEUE_ENABLED: "false" } });
  maria = clientOf(platform.url, platform.token("maria", ["agents:read", "agents:run"]));
  admin = clientOf(platform.url, platform.adminToken);
});
afterAll(() => platform.stop());

const off = { status: 503, json: { error_code: "QUEUE_DISABLED" } };

test("with the queue off its routes answer 503", async () => {
  expect(await admin.get("/queue/jobs")).toMatchObject(off);
  expect(await admin.get("/queue/jobs/some-id")).toMatchObject(off);
  expect(await admin.get("/queue/stats")).toMatchObject(off);
  expect(await admin.post("/queue/jobs/some-id/requeue")).toMatchObject(off);
  expect(await admin.post("/queue/jobs/requeue", { json: {} })).toMatchObject(off);
});

test("with the queue off, who asks and what is asked are checked first", async () => {
  expect((await clientOf(platform.url).get("/queue/jobs")).status).toBe(401);
  expect((await maria.get("/queue/jobs")).status).toBe(403);
  expect((await admin.get("/queue/jobs?limit=0")).status).toBe(422);
  expect((await admin.get("/queue/jobs?status=done")).status).toBe(400);
});

test("with the queue off background runs are refused, and runs in the foreground go on", async () => {
  expect(await maria.run("later", { background: "true" })).toMatchObject(off);
  expect(await maria.run("now")).toMatchObject({ status: 200, json: { status: "COMPLETED" } });
});
