import { describe, expect, test } from "vitest";
import type { Agent } from "../../shared/engine/define/agent.ts";
import { createModels } from "../../shared/engine/model/create-models.ts";
import { anAgent, aTool, runAgent } from "./support/run-agent.ts";
import { startWireServer, type WireReply } from "./support/wire-server.ts";
import { amazonBedrock } from "./wires/amazon-bedrock.ts";
import { anthropic } from "./wires/anthropic.ts";
import { openai } from "./wires/openai.ts";
import { openaiCompatible } from "./wires/openai-compatible.ts";
import { at, listAt, type Wire } from "./wires/wire.ts";

const call = (n: number) => ({ id: `call_${n}`, name: "add", input: `{"a":${n},"b":1}` });

/** Runs an agent whose model calls tools as often as it is let. */
async function runStubborn(wire: Wire, replies: readonly WireReply[], limits: Partial<Agent>) {
  process.env.AWS_REGION = "eu-west-1";
  process.env.AWS_ACCESS_KEY_ID = "AKIATEST";
  process.env.AWS_SECRET_ACCESS_KEY = "secret";
  const server = await startWireServer(replies);
  const models = createModels({
    MODEL: wire.spec,
    MODEL_BASE_URL: server.url + wire.basePath,
    ...wire.config,
  });
  const { tool, seen } = aTool();
  const run = await runAgent("Go on", { agent: anAgent({ tools: [tool], ...limits }), models });
  return { ...run, seen, bodies: server.requests.map(({ body }) => body) };
}

/** What a request says of the use of tools. */
const choiceIn = (body: unknown): unknown => at(body, "tool_choice", "type") ?? at(body, "tool_choice");

describe.each([openai, openaiCompatible, anthropic])("$provider at a limit", (wire) => {
  test("is called once more without tools, but with their results, and answers", async () => {
    const { outcome, bodies, seen } = await runStubborn(
      wire,
      [wire.calls([call(1)]), wire.calls([call(2)]), wire.text("Do", "ne")],
      { tool_call_limit: 2 },
    );
    expect(outcome).toMatchObject({ status: "COMPLETED", output: { content: "Done" } });
    expect(seen).toHaveLength(2);
    expect(bodies.map(choiceIn).map((choice) => choice === "none")).toEqual([false, false, true]);
    expect(JSON.stringify(bodies[2])).toContain("call_2");
  });
});

test("Amazon Bedrock keeps its tools, for it takes no results without, and is asked to answer", async () => {
  const { outcome, bodies } = await runStubborn(
    amazonBedrock,
    [amazonBedrock.calls([call(1)]), amazonBedrock.text("Do", "ne")],
    { tool_call_limit: 1 },
  );
  expect(outcome).toMatchObject({ status: "COMPLETED", output: { content: "Done" } });
  expect(listAt(bodies[1], "toolConfig", "tools")).toHaveLength(1);
  // Between them is the mark for the cache.
  expect(at(listAt(bodies[1], "messages").at(-1), "content", 2, "text")).toContain("Answer now");
});

test("calls beyond the limit in one answer never reach the tool, and the model gets the reason", async () => {
  const { outcome, seen } = await runStubborn(
    openaiCompatible,
    [openaiCompatible.calls([call(1), call(2)]), openaiCompatible.text("Do", "ne")],
    { tool_call_limit: 1 },
  );
  expect(seen).toHaveLength(1);
  expect(outcome.output.tools?.map(({ tool_call_error }) => tool_call_error)).toEqual([false, true]);
  expect(outcome.output.tools?.[1]?.result).toContain("limit of 1");
});

describe("a run whose model calls a tool in its last call all the same", () => {
  test("keeps the text beside the calls as its answer", async () => {
    const said = openaiCompatible.calls([call(2)]);
    const body = String(said.body).replace('"content":""', '"content":"Enough."');
    const { outcome, seen } = await runStubborn(
      openaiCompatible,
      [openaiCompatible.calls([call(1)]), { ...said, body }],
      {
        tool_call_limit: 1,
      },
    );
    expect(outcome).toMatchObject({ status: "COMPLETED", output: { content: "Enough." } });
    expect(seen).toHaveLength(1);
  });

  test.each([
    ["tool_call_limit", { tool_call_limit: 2 }],
    ["max_steps", { max_steps: 3 }],
  ])("fails by name where there is none: %s", async (error_type, limits) => {
    const replies = [1, 2, 3, 4].map((n) => openaiCompatible.calls([call(n)]));
    const { outcome, events, bodies, seen } = await runStubborn(openaiCompatible, replies, limits);
    expect(outcome).toMatchObject({
      status: "ERROR",
      cause: "model",
      error_type,
      error: expect.stringContaining(error_type),
    });
    expect(events.at(-1)).toMatchObject({ event: "RunError", error_type });
    expect(bodies).toHaveLength(3);
    expect(seen).toHaveLength(2);
  });
});

test("an agent that says nothing of it makes 250 model calls at most", () => {
  expect(anAgent()).toMatchObject({ max_steps: 250 });
});
