import { describe, expect } from "vitest";
import type { RunLogLine } from "../../shared/schemas/runs/run-log.ts";
import { type Client, clientOf } from "../support/client.ts";
import type { RunningPlatform } from "../support/platform.ts";
import { test } from "../support/shared-platform.ts";

let platform: RunningPlatform;
let maria: Client;
let admin: Client;
test.beforeAll(async ({ platform: shared }) => {
  platform = shared;
  maria = clientOf(platform.url, platform.token("maria", ["agents:read", "agents:run"]));
  admin = clientOf(platform.url, platform.adminToken);
});

const logOf = (run_id: string, query = "") => admin.get(`/runs/${run_id}/log${query}`);
/** The lines, once there are so many: a line is read from a file that it may still be on its way to. */
async function lines(run_id: string, atLeast: number): Promise<RunLogLine[]> {
  await expect.poll(async () => (await logOf(run_id)).json.data.length).toBeGreaterThanOrEqual(atLeast);
  return (await logOf(run_id)).json.data;
}
const SECRET = "a secret plan";

describe("the log of a run", () => {
  test("that failed in the background names its request, and the worker and what it says", async () => {
    const run = await maria.submit(`[[fail:out of luck]] ${SECRET}`);
    await maria.settled(run);
    const found = await lines(run.run_id, 2);
    expect(found.map(({ function: by, level, message }) => [by, level, message])).toEqual([
      [expect.stringMatching(/^runs/), "INFO", "request"],
      ["worker", "ERROR", "a run failed"],
    ]);
    expect(found[1]).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z$/),
      level: "ERROR",
      function: "worker",
      message: "a run failed",
      fields: expect.objectContaining({ run_id: run.run_id, attempt: 1, cause: "model" }),
    });
    expect(JSON.stringify(found)).not.toContain(SECRET);
    expect(JSON.stringify(found)).not.toContain("out of luck");
  });

  test("in the foreground is found by its id alone, with what a tool said wrong", async () => {
    const { json: run } = await maria.run(`[[tool:get_time {"timezone":"Nowhere/${SECRET}"}]]`);
    const found = await lines(run.run_id, 2);
    expect(found.map(({ level }) => level)).toEqual(["WARN", "INFO"]);
    expect(found[0]?.fields).toMatchObject({ run_id: run.run_id, tool_name: "get_time" });
    expect(JSON.stringify(found)).not.toContain(SECRET);
  });

  test("that was streamed names the request too", async () => {
    const response = await maria.send("POST", "/agents/assistant/runs", { form: { message: "hello" } });
    const [, run_id = ""] = /"run_id":"([^"]+)"/.exec(await response.text()) ?? [];
    expect(await lines(run_id, 1)).toMatchObject([{ message: "request", fields: { run_id, status: 200 } }]);
  });

  test("has who cancelled it, and no requests that only read", async () => {
    const run = await maria.submit("[[sleep:20000]]");
    await maria.poll(run);
    await maria.post(`/agents/assistant/runs/${run.run_id}/cancel?session_id=${run.session_id}`);
    const found = await lines(run.run_id, 3);
    expect(found.map(({ message }) => message)).toEqual(["request", "request", "audit"]);
    expect(found[2]?.fields).toMatchObject({ principal: "maria", operation: "cancelAgentRun" });
  });

  test("is paged, the oldest first, and no line comes twice", async () => {
    const run = await maria.submit("hello");
    await maria.settled(run);
    const { run_id, session_id } = run;
    for (let n = 0; n < 4; n += 1) {
      await maria.post(`/agents/assistant/runs/${run_id}/resume`, { form: { session_id } });
    }
    const all = await lines(run_id, 5);
    const paged: RunLogLine[] = [];
    let cursor: string | null = "";
    for (let page = 0; cursor !== null && page < 9; page += 1) {
      const { json } = await logOf(run_id, `?limit=2${cursor && `&cursor=${cursor}`}`);
      expect(json.data.length).toBeLessThanOrEqual(2);
      paged.push(...json.data);
      cursor = json.meta.next_cursor;
    }
    expect(paged).toEqual(all);
    expect(all.map(({ time }) => time)).toEqual(all.map(({ time }) => time).sort());
    const other = await maria.submit("another");
    const { json } = await logOf(run_id, "?limit=1");
    expect((await logOf(other.run_id, `?cursor=${json.meta.next_cursor}`)).status).toBe(400);
  });

  test("is narrowed by time", async () => {
    const run = await maria.submit("hello");
    await lines(run.run_id, 1);
    const soon = Math.floor(Date.now() / 1000) + 100;
    expect((await logOf(run.run_id, `?after=${soon}`)).json.data).toEqual([]);
    expect((await logOf(run.run_id, `?before=${soon - 10_000}`)).json.data).toEqual([]);
    expect((await logOf(run.run_id, `?before=${soon}`)).json.data).toHaveLength(1);
  });

  test("is an admin's alone; an unknown run has none", async () => {
    const run = await maria.submit("hello");
    expect((await maria.get(`/runs/${run.run_id}/log`)).status).toBe(403);
    expect((await logOf("019a0000-0000-7000-8000-000000000000")).status).toBe(404);
    expect((await logOf("nothing")).status).toBe(404);
    expect((await logOf(run.run_id, "?limit=0")).status).toBe(422);
  });
});
