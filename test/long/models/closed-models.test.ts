import { EventType } from "@ag-ui/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { send } from "../../support/a2a-world.ts";
import { frontEnd, theOne } from "../../support/agui-world.ts";
import { type Client, clientOf } from "../../support/client.ts";
import { type HostileModel, startHostileModel } from "../../support/hostile-model/start-hostile-model.ts";
import { callTool, mcpClient } from "../../support/mcp-world.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";

/** What each protocol answers over the deployed bundles while the breaker of a model is open. */
let model: HostileModel;
let platform: TestPlatform;
let maria: Client;

const SENTENCE = /is not called now; it is tried again in \d+ s\./;
const PLAN = "plan-closed";
const scopes = ["agents:read", "agents:run", "sessions:read", "sessions:write"];

beforeAll(async () => {
  model = await startHostileModel();
  model.plan(PLAN, () => ({ fails: { kind: "status", status: 503, message: "status 503" } }));
  platform = await startPlatform({
    context: { a2a: "true" },
    env: {
      MODEL: "openai-compatible:closed",
      MODEL_PROVIDERS: JSON.stringify({ "openai-compatible": { baseUrl: `${model.url}/v1` } }),
      AGUI_COMPONENT: "agents/assistant",
    },
  });
  maria = clientOf(platform.url, platform.token("maria", scopes));
  // Each run asks three times; the second one has opened the breaker.
  for (let n = 0; n < 3; n += 1) await maria.run(PLAN);
});
afterAll(async () => {
  await platform?.stop();
  await model?.stop();
});

describe("an open breaker", () => {
  test("is 503 with the time at a run route", async () => {
    const answer = await maria.run(PLAN);
    expect(answer).toMatchObject({ status: 503, json: { detail: expect.stringMatching(SENTENCE) } });
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("is an error of the run for AG-UI, with its code", async () => {
    const { events } = await frontEnd(platform, "/agui", "maria")
      .say(PLAN)
      .catch(() => ({ events: [] }));
    expect(theOne(events, EventType.RUN_ERROR)).toMatchObject({
      message: expect.stringMatching(SENTENCE),
      code: "model_unavailable",
    });
  });

  test("is an error of the tool for MCP", async () => {
    const client = await mcpClient(platform, "maria");
    const called = await callTool(client, "run_agent", { agent_id: "assistant", message: PLAN });
    expect(called).toMatchObject({ isError: true });
    expect(JSON.stringify(called.content)).toMatch(SENTENCE);
    await client.close();
  });

  test("keeps a task of A2A waiting, and its status says for what and how long", async () => {
    const answer = await send(maria, "/a2a/agents/assistant", PLAN, {
      configuration: { returnImmediately: true },
    });
    expect(answer.status).toBe(200);
    const { id } = answer.json.task;
    // Without `A2A-Version` the answer has the form of 0.3.
    const read = async () => (await maria.get(`/a2a/agents/assistant/v1/tasks/${id}`)).json.status;
    await expect.poll(async () => (await read()).message?.content ?? []).toHaveLength(2);
    const { state, message } = await read();
    expect(["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"]).toContain(state);
    const [{ text }, { data }] = message.content;
    expect(text).toMatch(/^The model's service is not called now; the task goes on in \d+ s\.$/);
    expect(data.data.retry_after_seconds).toBeGreaterThan(0);
    expect(text).toContain(`${data.data.retry_after_seconds} s`);
  });
});
