import assert from "node:assert/strict";
import { once } from "node:events";
import type { Server } from "node:http";
import { after, before, test } from "node:test";
import { createClient } from "@agentplatform/core/client";
import { startPlatform, type TestPlatform } from "@agentplatform/core/testing";
import { type Report, reportReceiver } from "../scripts/receive-reports.ts";
import { scheduleReport } from "../scripts/schedule-report.ts";

// The real platform on this machine, with the scripted model: it calls a tool when the message says so.
let platform: TestPlatform;
let receiver: Server;
let secret = "";
const report = Promise.withResolvers<Report>();
before(async () => {
  receiver = reportReceiver(() => secret, report.resolve).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  platform = await startPlatform({ settings: { fetchAllowedHosts: [hostOf(receiver)] } });
});
after(async () => {
  receiver.close();
  await platform?.stop();
});

function hostOf(server: Server): string {
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return `127.0.0.1:${address.port}`;
}

test("the report is written at its time, and sent to the receiver, signed", async () => {
  const scopes = ["agents:run", "schedules:read", "schedules:write", "webhooks:write"];
  const token = platform.token({ sub: "ada", scopes });
  const client = createClient({ baseUrl: platform.url, token });
  ({ secret } = await client.getCallbackSecret());
  const message = '[[tool:read_sales {"day": "2026-11-02"}]]';
  const schedule_id = await scheduleReport(platform.url, token, `http://${hostOf(receiver)}/`, message);
  assert.equal(
    await scheduleReport(platform.url, token, `http://${hostOf(receiver)}/`, message),
    schedule_id,
  );
  await client.triggerSchedule({ path: { schedule_id } });
  const { type, data } = await report.promise;
  assert.equal(type, "run.completed");
  assert.match(String(data.content), /lamp/);
});
