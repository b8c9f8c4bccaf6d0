import { setTimeout as pause } from "node:timers/promises";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, describe, expect } from "vitest";
import { scheduleKey, schedulePartition } from "../../../shared/stores/schedules/schedule-item.ts";
import { type Client, clientOf } from "../../support/client.ts";
import { HANGS_AFTER_MS } from "../../support/hangs-after.ts";
import type { RunningPlatform } from "../../support/platform.ts";
import { deliverSlot, scheduleQueue } from "../../support/schedule-slots.ts";
import { test } from "../../support/shared-platform.ts";
import { type StoreView, viewStores } from "../../support/stored.ts";

let platform: RunningPlatform;
let maria: Client;
let admin: Client;
let stores: StoreView;
test.beforeAll(async ({ platform: shared }) => {
  platform = shared;
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
  stores = viewStores(platform);
});
afterAll(() => stores?.close());

let made = 0;
/** A schedule that never fires by itself while the tests run. */
async function aSchedule(body: object = {}, owner = maria): Promise<string> {
  made += 1;
  const answer = await owner.post("/schedules", {
    json: {
      name: `schedule that runs ${made}`,
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
const itemsOf = async (id: string) =>
  (await stores.read()).schedules.filter(({ pk }) => pk === schedulePartition(id));
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

describe("what a schedule is made to run", () => {
  /** A schedule of an agent that code declared when the schedule was made, and no longer does. */
  async function anOrphan(more: object = {}): Promise<string> {
    const id = await aSchedule(more);
    await stores.db.client.send(
      new UpdateCommand({
        TableName: stores.db.tables.schedules,
        Key: scheduleKey(id),
        UpdateExpression: "SET endpoint = :endpoint",
        ExpressionAttributeValues: { ":endpoint": "/agents/unknown/runs" },
      }),
    );
    return id;
  }

  test("that does not exist any more fails with the answer's status and text", async () => {
    const id = await anOrphan();
    const { status, json } = await trigger(id);
    expect(status).toBe(200);
    expect(json).toMatchObject({ status: "failed", status_code: 404, run_id: null, output: null });
    expect(json.error).toContain("unknown");
  });

  test("without a message fails with 422", async () => {
    const { json } = await trigger(await aSchedule({ payload: {} }));
    expect(json).toMatchObject({
      status: "failed",
      status_code: 422,
      error: expect.stringContaining("message"),
    });
  });

  test("that fails is tried again; the last attempt is answered, and each has a record, the newest first", async () => {
    const id = await anOrphan({ max_retries: 1, retry_delay_seconds: 1 });
    const { json } = await trigger(id);
    expect(json).toMatchObject({ attempt: 2, status: "failed", status_code: 404 });
    const runs = await runsOf(id);
    expect(runs).toMatchObject([{ attempt: 2 }, { attempt: 1, status: "failed", status_code: 404 }]);
    expect(runs[0].created_at).toBeGreaterThan(runs[1].created_at);
  });

  test("cannot be configured how to run, nor for whom", async () => {
    const payload = {
      message: "hello",
      stream: true,
      background: false,
      user_id: "x",
      version: "1",
      metadata: { version: 2, note: "kept" },
    };
    const { json } = await trigger(await aSchedule({ payload }));
    expect(json).toMatchObject({
      status: "success",
      user_id: "maria",
      output: { content: "You said: hello" },
    });
    const run = (await maria.poll(json)).json;
    expect(run).toMatchObject({ user_id: "maria", metadata: { note: "kept" } });
    expect(run.metadata).not.toHaveProperty("version");
  });

  test("may be any endpoint that its owner's schedules may read", async () => {
    const open = await trigger(await aSchedule({ method: "GET", endpoint: "/agents" }, admin), admin);
    expect(open.json).toMatchObject({
      status: "success",
      status_code: 200,
      run_id: null,
      input: null,
      output: null,
    });
    const nowhere = await trigger(await aSchedule({ method: "GET", endpoint: "/agents/none" }, admin), admin);
    expect(nowhere.json).toMatchObject({ status: "failed", status_code: 404 });
  });
});

describe("a run that pauses", () => {
  test("is not tried again, and its record follows it when it goes on", async () => {
    const message = '[[tool:issue_refund {"order_id":"o-1","amount":5}]]';
    const id = await aSchedule({
      endpoint: "/agents/refund-desk/runs",
      payload: { message },
      max_retries: 3,
    });
    const { json } = await trigger(id);
    expect(json).toMatchObject({ status: "paused", completed_at: null, error: null });
    expect(json.requirements).toHaveLength(1);
    const tools = json.requirements.map(({ tool_execution }: { tool_execution: object }) => ({
      ...tool_execution,
      confirmed: true,
    }));
    const form = {
      session_id: json.session_id,
      tools: JSON.stringify(tools),
      stream: "false",
      background: "true",
    };
    const continued = await maria.post(`/agents/refund-desk/runs/${json.run_id}/continue`, { form });
    expect(continued.status).toBe(202);
    const ended = await until(id, ({ status }) => status !== "paused");
    expect(ended).toMatchObject({ id: json.id, status: "success", requirements: null, run_id: json.run_id });
    expect(await runsOf(id)).toHaveLength(1);
  });
});

test("a run that takes too long fails its record and goes on", async () => {
  const id = await aSchedule({ payload: { message: "[[sleep:60000]]" }, timeout_seconds: 3 });
  await deliverSlot(platform, id);
  const running = await until(id, ({ run_id }) => run_id !== null);
  const startedAt = Date.now();
  const failed = await until(id, ({ status }) => status !== "running");
  expect(Date.now() - startedAt).toBeGreaterThan(2_000);
  // The run itself takes a minute.
  expect(Date.now() - startedAt).toBeLessThan(30_000);
  expect(failed).toMatchObject({ id: running.id, status: "failed", status_code: null });
  expect(failed.error).toContain("timed out");
  const run = await maria.poll(failed as { run_id: string; session_id: string });
  expect(run.json.status).toMatch(/PENDING|RUNNING/);
  await maria.post(`/agents/assistant/runs/${failed.run_id}/cancel?session_id=${failed.session_id}`);
});

describe("slots", () => {
  test("that are delivered several times are run once", async () => {
    const id = await aSchedule();
    const at = Date.now();
    await Promise.all(Array.from({ length: 10 }, () => deliverSlot(platform, id, at)));
    const ended = await until(id, ({ status }) => status === "success");
    await deliverSlot(platform, id, at);
    await settled();
    expect(await runsOf(id)).toEqual([ended]);
  });

  test("that come while the run before them goes on are skipped, and listed", async () => {
    const id = await aSchedule({ payload: { message: "[[sleep:3000]]" } });
    const at = Date.now();
    await deliverSlot(platform, id, at - 3000);
    await until(id, ({ status }) => status === "running");
    for (const earlier of [2000, 1000, 0]) await deliverSlot(platform, id, at - earlier);
    await settled();
    const runs = await runsOf(id);
    expect(runs.map(({ status }: Row) => status)).toEqual(["skipped", "skipped", "skipped", "running"]);
    expect(runs[0]).toMatchObject({ status_code: null, run_id: null, completed_at: expect.any(Number) });
    await until(id, ({ status }) => status === "success", undefined, 3);
  });

  test("of a time when they could not be run are made up for once", async () => {
    const id = await aSchedule({ cron_expr: "*/5 * * * *" });
    const last = Math.floor(Date.now() / 300_000) * 300_000;
    for (const ago of [3, 2, 1, 0]) await deliverSlot(platform, id, last - ago * 300_000);
    await until(id, ({ status }) => status === "success");
    await settled();
    const runs = await runsOf(id);
    expect(runs.map(({ status }: Row) => status)).toEqual(["success", "missed", "missed", "missed"]);
  });
});

describe("a trigger is refused", () => {
  test("for a schedule that is disabled", async () => {
    const id = await aSchedule();
    await maria.post(`/schedules/${id}/disable`);
    expect((await trigger(id)).status).toBe(409);
    await maria.post(`/schedules/${id}/enable`);
    expect((await trigger(id)).status).toBe(200);
  });

  test("for who may not run the target any more", async () => {
    const id = await aSchedule();
    const reduced = clientOf(platform.url, platform.token("maria", ["schedules:write", "agents:read"]));
    expect((await trigger(id, reduced)).status).toBe(403);
    const own = ["schedules:write", "agents:assistant:run"];
    expect((await trigger(id, clientOf(platform.url, platform.token("maria", own)))).status).toBe(200);
  });

  test("for a schedule that is unknown, and one of another user", async () => {
    expect((await trigger("00000000-0000-4000-8000-000000000000")).status).toBe(404);
    expect((await trigger(await aSchedule({}, admin))).status).toBe(404);
  });

  test("with 503 while no notification can be sent, and then nothing is run", async () => {
    const id = await aSchedule();
    platform.faults.set(({ service }) => (service === "sqs" ? "drop" : undefined));
    const refused = await trigger(id).finally(platform.faults.clear);
    expect(refused.status).toBe(503);
    expect(await runsOf(id)).toEqual([]);
  });
});

test("a managed schedule that drifted fails once, and is disabled with the reason", async () => {
  const id = await aSchedule();
  await stores.db.client.send(
    new UpdateCommand({
      TableName: stores.db.tables.schedules,
      Key: scheduleKey(id),
      UpdateExpression: "SET managed_by = :by, target_type = :type, target_id = :id",
      ExpressionAttributeValues: { ":by": "studio", ":type": "agent", ":id": "reporter" },
    }),
  );
  await deliverSlot(platform, id);
  const failed = await until(id, () => true);
  expect(failed).toMatchObject({
    status: "failed",
    run_id: null,
    error: expect.stringContaining("reporter"),
  });
  for (const end = Date.now() + HANGS_AFTER_MS; ; await pause(50)) {
    const { json } = await maria.get(`/schedules/${id}`);
    if (!json.enabled || Date.now() > end) {
      const disabled_reason = "endpoint_drift:/agents/assistant/runs!=agent:reporter";
      expect(json).toMatchObject({ enabled: false, disabled_reason });
      break;
    }
  }
});

test("a trigger of a managed schedule that drifted runs nothing, and disables it with the reason", async () => {
  const id = await aSchedule();
  await stores.db.client.send(
    new UpdateCommand({
      TableName: stores.db.tables.schedules,
      Key: scheduleKey(id),
      UpdateExpression: "SET managed_by = :by, target_type = :type, target_id = :id",
      ExpressionAttributeValues: { ":by": "studio", ":type": "agent", ":id": "reporter" },
    }),
  );
  const { status, json } = await trigger(id);
  expect(status).toBe(200);
  expect(json).toMatchObject({ status: "failed", run_id: null, error: expect.stringContaining("reporter") });
  expect(await runsOf(id)).toEqual([json]);
  const disabled_reason = "endpoint_drift:/agents/assistant/runs!=agent:reporter";
  expect((await maria.get(`/schedules/${id}`)).json).toMatchObject({ enabled: false, disabled_reason });
  expect((await trigger(id)).status).toBe(409);
});

test("the attempts of a schedule go with it", async () => {
  const id = await aSchedule();
  const { json } = await trigger(id);
  expect((await maria.call("DELETE", `/schedules/${id}`)).status).toBe(204);
  expect((await maria.get(`/schedules/${id}/runs`)).status).toBe(404);
  expect((await maria.get(`/schedules/${id}/runs/${json.id}`)).status).toBe(404);
  expect(await itemsOf(id)).toEqual([]);
  await deliverSlot(platform, id);
  await settled();
  expect(await itemsOf(id)).toEqual([]);
});

test("the list of attempts has pages", async () => {
  const id = await aSchedule({ method: "GET", endpoint: "/agents" }, admin);
  for (let count = 0; count < 3; count += 1) await trigger(id, admin);
  const page = await admin.get(`/schedules/${id}/runs?limit=2&page=2`);
  expect(page.json.data).toHaveLength(1);
  expect(page.json.meta).toEqual({ page: 2, limit: 2, total_pages: 2, total_count: 3, search_time_ms: 0 });
  const beyond = await admin.get(`/schedules/${id}/runs?limit=2&page=9`);
  expect(beyond.json).toMatchObject({ data: [], meta: { page: 9, total_count: 3 } });
  for (const query of ["limit=0", "limit=1001", "page=0"]) {
    expect((await admin.get(`/schedules/${id}/runs?${query}`)).status).toBe(422);
  }
});

type Row = {
  readonly id: string;
  readonly status: string;
  readonly error: string | null;
  readonly run_id: string | null;
  readonly session_id: string | null;
};

/** Waits until the n-th attempt of a list, the newest being number 0, is as it should be. */
async function until(
  id: string,
  holds: (row: Row) => boolean,
  meanwhile: () => Promise<unknown> = async () => {},
  position = 0,
): Promise<Row> {
  for (const end = Date.now() + HANGS_AFTER_MS; ; await pause(50)) {
    const row: Row | undefined = (await runsOf(id))[position];
    if (row && holds(row)) return row;
    if (Date.now() > end) throw new Error(`the attempt stays ${JSON.stringify(row)}`);
    await meanwhile();
  }
}

/** Waits until every message to schedules was taken and worked. */
async function settled(): Promise<void> {
  const queue = scheduleQueue(platform);
  for (const end = Date.now() + HANGS_AFTER_MS; ; await pause(20)) {
    if (queue.messages.length === 0 && queue.inflightMessages.size === 0) return;
    if (Date.now() > end) throw new Error("the schedule queue does not come to rest");
  }
}
