import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, clientOf, framesOf } from "../../support/client.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";

let platform: TestPlatform;
let maria: Client;
beforeAll(async () => {
  const prices = { scripted: { input_per_million: 1_000_000, output_per_million: 0 } };
  platform = await startPlatform({ env: { MODEL_PRICES: JSON.stringify(prices) } });
  maria = clientOf(platform.url, platform.token("maria", ["agents:read", "agents:run", "config:read"]));
});
afterAll(() => platform.stop());

const output_schema = JSON.stringify({
  title: "Sum",
  type: "object",
  properties: { total: { type: "number" } },
  required: ["total"],
});

describe("a run with an output_schema", () => {
  test("answers with the value and the schema's name, and so does its record", async () => {
    const { status, json } = await maria.run('[[answer:{"total":5}]]', { output_schema });
    expect(status).toBe(200);
    expect(json).toMatchObject({ status: "COMPLETED", content: { total: 5 }, content_type: "Sum" });
    expect((await maria.poll(json)).json).toMatchObject({ content: { total: 5 }, content_type: "Sum" });
  });

  test("streams the answer as text and completes with the value", async () => {
    const { text } = await maria.run('[[answer:{"total":5}]]', {
      output_schema,
      use_json_schema: "true",
      stream: "true",
    });
    const completed = framesOf(text).find(({ event }) => event === "RunCompleted");
    expect(completed?.data).toMatchObject({ content: { total: 5 }, content_type: "Sum" });
  });

  test("in the background is held to it too", async () => {
    const accepted = await maria.submit('[[answer:{"total":5}]]', { output_schema });
    expect(await maria.settled(accepted)).toMatchObject({ status: "COMPLETED", content: { total: 5 } });
  });

  test("whose model answers otherwise ends as ERROR and says so", async () => {
    const { status, json } = await maria.run("five", { output_schema });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      status: "ERROR",
      content: expect.stringContaining("did not answer with Sum"),
    });
  });

  test("that is not JSON goes on without it", async () => {
    const { json } = await maria.run("five", { output_schema: "{oops" });
    expect(json).toMatchObject({ status: "COMPLETED", content: "You said: five", content_type: "str" });
  });

  test("that cannot be used is refused before anything is kept", async () => {
    const session_id = "never-made";
    const { status, json } = await maria.run("five", {
      output_schema: '{"$ref":"https://example.com/a.json"}',
      session_id,
    });
    expect(status).toBe(400);
    expect(json).toMatchObject({
      error_code: "BAD_REQUEST",
      detail: expect.stringContaining("output_schema"),
    });
    const runs = await maria.get(`/agents/assistant/runs?session_id=${session_id}`);
    expect(runs.status === 404 || runs.json.length === 0).toBe(true);
  });
});

test("a run's metrics show its cost where prices are configured", async () => {
  const { json } = await maria.run("hello");
  expect(json.metrics.cost).toBe(json.metrics.input_tokens);
});

describe("GET /models", () => {
  test("lists each model that agents use once", async () => {
    const { status, json } = await maria.get("/models");
    expect(status).toBe(200);
    expect(json).toEqual([{ id: "scripted-1", provider: "Scripted" }]);
  });

  test("needs config:read", async () => {
    const unprivileged = clientOf(platform.url, platform.token("otto", ["agents:read"]));
    expect((await unprivileged.get("/models")).status).toBe(403);
    expect((await clientOf(platform.url).get("/models")).status).toBe(401);
  });
});
