import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, clientOf } from "../support/client.ts";
import { startPlatform, type TestPlatform } from "../support/platform.ts";

let platform: TestPlatform;
let maria: Client;
beforeAll(async () => {
  platform = await startPlatform();
  maria = clientOf(
    platform.url,
    platform.token("maria", ["schedules:read", "schedules:write", "agents:run"]),
  );
});
afterAll(() => platform?.stop());

const nightly = { name: "nightly", cron_expr: "0 9 * * *", endpoint: "/agents/assistant/runs" };

test("a schedule that was created is found again", async () => {
  const created = await maria.post("/schedules", { json: nightly });
  expect(created.status).toBe(201);
  expect((await maria.get(`/schedules/${created.json.id}`)).json).toEqual(created.json);
});
