import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { frontEnd, said, theOne } from "../../support/agui-world.ts";
import { type Client, clientOf, framesOf } from "../../support/client.ts";
import { type HostileModel, startHostileModel } from "../../support/hostile-model/start-hostile-model.ts";
import type { Reply } from "../../support/hostile-model/turn.ts";
import { callTool, mcpClient } from "../../support/mcp-world.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";
import { allBut, specialRegistry } from "../../support/test-registry.ts";

/** What each protocol says of a model that does not behave, over the bundles. */
let platform: TestPlatform;
let model: HostileModel;
let admin: Client;
beforeAll(async () => {
  model = await startHostileModel();
  platform = await startPlatform({
    registry: specialRegistry,
    without: allBut("a2a", "runs", "sessions", "worker"),
    env: { ...model.environment, MODEL_HEALTH: "own", OPENAI: "true" },
  });
  admin = clientOf(platform.url, platform.adminToken);
}, 600_000);
afterAll(async () => {
  await platform?.stop();
  await model?.stop();
});

const AGENT = "openai-clerk";
let plans = 0;
/** @returns what a message has to contain for the model to answer so, each time */
function planned(reply: Reply): string {
  const name = `plan-contact-${++plans}`;
  model.plan(name, () => reply);
  return name;
}

const ends = [
  ["content-filter", { text: ["Half"], end: "content_filter" }],
  ["content-filter", { refusal: "I cannot help with that." }],
  ["length", { text: ["Half"], end: "length" }],
] as const satisfies readonly (readonly [string, Reply])[];

describe.each(ends)("an answer that the model did not end itself says %s", (reason, reply) => {
  test("at the run's routes, waiting and streamed", async () => {
    const form = { message: planned(reply), stream: "false" };
    const { json } = await admin.post(`/agents/${AGENT}/runs`, { form });
    expect(json).toMatchObject({ status: "COMPLETED", finish_reason: reason });
    const streamed = await admin.post(`/agents/${AGENT}/runs`, { form: { ...form, stream: "true" } });
    const last = framesOf(streamed.text).at(-1);
    expect(last).toMatchObject({ event: "RunCompleted", data: { finish_reason: reason } });
  });

  test("to a front end of AG-UI", async () => {
    const { events } = await frontEnd(platform, `/agents/${AGENT}/agui`, "maria").say(planned(reply));
    expect(theOne(events, "RUN_FINISHED").metadata).toEqual({ "agent-platform": { finish_reason: reason } });
  });

  test("to other agents, in each dialect", async () => {
    const body = (method: string) => ({
      ...{ jsonrpc: "2.0", id: 1, method },
      params: {
        message: {
          ...{ kind: "message", role: "user", messageId: crypto.randomUUID() },
          parts: [{ kind: "text", text: planned(reply) }],
        },
      },
    });
    const sent = await admin.post(`/a2a/agents/${AGENT}`, { json: body("message/send") });
    expect(sent.json.result.metadata).toMatchObject({ finishReason: reason });
    const streamed = await admin.post(`/a2a/agents/${AGENT}`, { json: body("message/stream") });
    expect(streamed.text).toContain(`"finishReason":"${reason}"`);
    const enveloped = await admin.post(`/a2a/agents/${AGENT}/v1/message:send`, {
      json: body("message/send"),
    });
    expect(enveloped.json.result.history.at(-1).metadata).toMatchObject({ finish_reason: reason });
  });

  test("to clients of MCP", async () => {
    const client = await mcpClient(platform, "maria");
    const called = await callTool(client, "run_agent", { agent_id: AGENT, message: planned(reply) });
    expect(called.structuredContent).toMatchObject({ status: "COMPLETED", finish_reason: reason });
    await client.close();
  });
});

test("a thread of AG-UI goes on after a file that its model cannot be shown", async () => {
  const front = frontEnd(platform, `/agents/${AGENT}/agui`, "maria");
  const source = { type: "data" as const, value: "AAAA", mimeType: "video/webm" };
  front.add({ id: "clip", role: "user", content: [{ type: "video", source }] });
  await expect(front.run()).rejects.toThrow("cannot be shown");
  const { events } = await front.say(planned({ text: ["Nine."] }));
  expect(said(front.agent.messages)).toBe("Nine.");
  expect(theOne(events, "CUSTOM")).toMatchObject({
    name: "messages_ignored",
    value: { messages: [{ id: "clip", reason: expect.stringContaining("video/webm") }] },
  });
});

describe("what meets by chance", () => {
  const runs = `/agents/${AGENT}/runs`;
  const slowly = () =>
    planned({ text: Array.from({ length: 8 }, (_, i) => `w${i} `), fails: { kind: "slow", ms: 80 } });
  const begin = async (message: string) =>
    (await admin.post(runs, { form: { message, stream: "false", background: "true" } })).json;
  const statuses = (answers: readonly { readonly status: number }[]) => answers.map(({ status }) => status);

  test("is answered, and leaves no error in the log", async () => {
    const seen = platform.lines.length;
    for (const ms of [0, 150, 400]) {
      const { run_id, session_id } = await begin(slowly());
      await sleep(ms);
      const cancel = () => admin.post(`${runs}/${run_id}/cancel?session_id=${session_id}`);
      const remove = () => admin.call("DELETE", `/sessions/${session_id}`);
      expect(statuses(await Promise.all([cancel(), cancel(), remove(), cancel()]))).not.toContain(500);
    }
    const key = { headers: { "idempotency-key": crypto.randomUUID() } };
    const form = { message: slowly(), stream: "false", background: "true" };
    const same = await Promise.all([1, 2, 3, 4].map(() => admin.post(runs, { form, ...key })));
    expect(new Set(same.map(({ json }) => json.run_id)).size).toBe(1);
    const session_id = crypto.randomUUID();
    const streamed = admin.post(runs, { form: { message: slowly(), stream: "true", session_id } });
    await sleep(200);
    expect((await admin.call("DELETE", `/sessions/${session_id}`)).status).toBe(204);
    await streamed;
    const left = new AbortController();
    const leaving = fetch(`${platform.url}${runs}`, {
      method: "POST",
      headers: { authorization: `Bearer ${platform.adminToken}` },
      body: new URLSearchParams({ message: slowly(), stream: "true" }),
      signal: left.signal,
    }).then((response) => response.text());
    await sleep(200);
    left.abort();
    await expect(leaving).rejects.toThrow("abort");
    await expect
      .poll(
        async () =>
          (await admin.get(`${runs}/${same[0]?.json.run_id}?session_id=${same[0]?.json.session_id}`)).json
            .status,
      )
      .toBe("COMPLETED");
    expect(platform.lines.slice(seen).filter((line) => line.includes('"level":"ERROR"'))).toEqual([]);
  });

  test("of many answers to a pause one counts, and the others are refused", async () => {
    const seen = platform.lines.length;
    const name = `plan-contact-${++plans}`;
    model.plan(name, [
      { calls: [{ id: "call_a", name: "issue_refund", arguments: '{"order_id":"A-1"}' }] },
      { text: ["Done."] },
    ]);
    const { run_id, session_id } = await begin(name);
    const read = async () => (await admin.get(`${runs}/${run_id}?session_id=${session_id}`)).json;
    await expect.poll(async () => (await read()).status).toBe("PAUSED");
    const tools = JSON.stringify((await read()).tools.map((tool: object) => ({ ...tool, confirmed: true })));
    const form = { session_id, stream: "false", background: "true", tools };
    const all = await Promise.all([1, 2, 3, 4].map(() => admin.post(`${runs}/${run_id}/continue`, { form })));
    expect(statuses(all)).toContain(202);
    for (const status of statuses(all)) expect([202, 409]).toContain(status);
    await expect.poll(async () => (await read()).status).toBe("COMPLETED");
    expect(platform.lines.slice(seen).filter((line) => line.includes('"level":"ERROR"'))).toEqual([]);
  });
});
