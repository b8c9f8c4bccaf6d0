import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, clientOf } from "../support/client.ts";
import { startPlatform, type TestPlatform } from "../support/platform.ts";
import { deliverSlot } from "../support/schedule-slots.ts";

let platform: TestPlatform;
let maria: Client;
let admin: Client;
beforeAll(async () => {
  platform = await startPlatform();
  maria = clientOf(
    platform.url,
    platform.token("maria", [
      "schedules:read",
      "schedules:write",
      "schedules:delete",
      "agents:read",
      "agents:run",
    ]),
  );
  admin = clientOf(platform.url, platform.adminToken);
});
afterAll(() => platform?.stop());

let made = 0;
/** A schedule that never fires by itself while the tests run. */
async function aSchedule(body: object = {}, owner = maria): Promise<string> {
  made += 1;
  const answer = await owner.post("/schedules", {
    json: {
      name: `schedule ${made}`,
      cron_expr: "0 0 29 2 *",
      endpoint: "/agents/assistant/runs",
      payload: { message: "Summarise today" },
      ...body,
    },
  });
  expect(answer.text).toContain('"id"');
  return answer.json.id;
}

const trigger = (id: string, owner = maria) => owner.post(`/schedules/${id}/trigger`);
const runsOf = async (id: string, owner = maria) => (await owner.get(`/schedules/${id}/runs`)).json.data;

describe("a trigger", () => {
  test("answers the run's end, and both routes show the same record", async () => {
    const id = await aSchedule();
    const { status, json } = await trigger(id);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      schedule_id: id,
      user_id: "maria",
      attempt: 1,
      status: "success",
      status_code: 200,
      error: null,
      requirements: null,
      input: { input_content: "Summarise today" },
      output: { content: "You said: Summarise today", content_type: "str" },
      run_id: expect.any(String),
      session_id: expect.any(String),
    });
    expect(json.triggered_at).toBe(json.created_at);
    expect(json.completed_at).toBeGreaterThanOrEqual(json.created_at);
    expect((await maria.get(`/schedules/${id}/runs/${json.id}`)).json).toEqual(json);
    expect(await runsOf(id)).toEqual([json]);
    const other = await aSchedule();
    expect((await maria.get(`/schedules/${other}/runs/${json.id}`)).status).toBe(404);
    expect((await maria.poll(json)).json).toMatchObject({ user_id: "maria", status: "COMPLETED" });
  });
});
