import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { frontEnd, said, theOne } from "../../support/agui-world.ts";
import { type Client, clientOf, framesOf } from "../../support/client.ts";
import { type HostileModel, startHostileModel } from "../../support/hostile-model/start-hostile-model.ts";
import type { Reply } from "../../support/hostile-model/turn.ts";
import { callTool, mcpClient } from "../../support/mcp-world.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";
import { specialRegistry } from "../../support/test-registry.ts";

/** What each protocol says of a model that does not behave, over the bundles. */
let platform: TestPlatform;
let model: HostileModel;
let admin: Client;
beforeAll(async () => {
  model = await startHostileModel();
  platform = await startPlatform({
    registry: specialRegistry,
    without: [
      "components",
      "config",
      "eval-worker",
      "evals",
      "memories",
      "platform",
      "runnables",
      "schedules",
    ],
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
