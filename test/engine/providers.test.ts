import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Agent } from "../../shared/engine/define/agent.ts";
import { createModels } from "../../shared/engine/model/create-models.ts";
import type { EnginePorts } from "../../shared/engine/ports/engine-ports.ts";
import { resultWithMedia } from "../../shared/engine/tool/tool.ts";
import { anAgent, aTool, runAgent, tickingClock } from "./support/run-agent.ts";
import { startWireServer, type WireReply } from "./support/wire-server.ts";
import { amazonBedrock } from "./wires/amazon-bedrock.ts";
import { anthropic } from "./wires/anthropic.ts";
import { openai } from "./wires/openai.ts";
import { openaiCompatible } from "./wires/openai-compatible.ts";
import type { Wire } from "./wires/wire.ts";

beforeAll(() => {
  vi.stubEnv("AWS_REGION", "eu-west-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIATEST");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
  vi.stubEnv("AWS_BEARER_TOKEN_BEDROCK", "");
});
afterAll(() => void vi.unstubAllEnvs());

/** Runs an agent with one tool against a service that gives these replies. */
async function runAgainst(
  wire: Wire,
  replies: readonly WireReply[],
  config: Record<string, string> = wire.config,
  how: { readonly agent?: Partial<Agent> } & Partial<EnginePorts> = {},
) {
  const server = await startWireServer(replies);
  const models = createModels({ MODEL: wire.spec, MODEL_BASE_URL: server.url + wire.basePath, ...config });
  const { tool, seen } = aTool();
  const { agent: parts, ...ports } = how;
  const agent = anAgent({ tools: [tool], instructions: "Be exact.", ...parts });
  const run = await runAgent("What is 2 + 3?", { agent, models, ...ports });
  return { ...run, seen, server, asked: server.requests.map(wire.read) };
}

describe.each([openai, openaiCompatible, anthropic, amazonBedrock])("$provider", (wire) => {
  test("streams text as it comes", async () => {
    const { outcome, events } = await runAgainst(wire, [wire.text("It is ", "five.")]);
    expect(outcome).toMatchObject({ status: "COMPLETED", output: { content: "It is five." } });
    expect(events.flatMap((event) => (event.event === "RunContent" ? [event.content] : []))).toEqual([
      "It is ",
      "five.",
    ]);
    expect(outcome.output).toMatchObject({
      model: wire.spec.slice(wire.spec.indexOf(":") + 1),
      model_provider: wire.provider,
      metrics: { input_tokens: 11, output_tokens: 7, total_tokens: 18 },
    });
  });

  test("is asked at its address, with its credential, and shown the tools' JSON Schema", async () => {
    const { asked, server } = await runAgainst(wire, [wire.text("It is ", "five.")]);
    const [request] = server.requests;
    expect(request?.path).toBe(wire.path);
    expect(request && wire.authorized(request)).toBe(true);
    expect(asked[0]).toMatchObject({
      model: wire.spec.slice(wire.spec.indexOf(":") + 1),
      system: "Be exact.",
      roles: ["user"],
      tools: [
        {
          name: "add",
          description: "Add two numbers.",
          schema: {
            type: "object",
            properties: { a: { type: "number" }, b: { type: "number" } },
            required: ["a", "b"],
          },
        },
      ],
    });
  });

  test("calls a tool, reads its result and answers", async () => {
    const call = { id: "call_7", name: "add", input: '{"a":2,"b":3}' };
    const { outcome, order, asked, seen } = await runAgainst(wire, [
      wire.calls([call]),
      wire.text("It is ", "5."),
    ]);
    expect(seen).toMatchObject([{ args: { a: 2, b: 3 }, context: { tool_call_id: "call_7" } }]);
    expect(asked[1]?.roles.slice(-1)).toEqual([wire.role.toolResult]);
    expect(asked[1]?.results).toEqual([{ id: "call_7", text: "5" }]);
    expect(order.slice(1, 6)).toEqual([
      "ModelRequestStarted",
      "ModelRequestCompleted",
      "ToolCallStarted",
      "ToolCallCompleted",
      "ModelRequestStarted",
    ]);
    expect(outcome.output).toMatchObject({
      status: "COMPLETED",
      content: "It is 5.",
      metrics: { total_tokens: 36 },
    });
  });

  test("is shown the picture that a tool gives, or a note of it where its wire has no place for it", async () => {
    const png = { mime_type: "image/png", filename: "red.png", bytes: Buffer.from("a picture") };
    const { tool } = aTool({ execute: () => resultWithMedia("Drawn.", [png]) });
    const { outcome, server } = await runAgainst(
      wire,
      [wire.calls([{ id: "call_7", name: "add", input: '{"a":2,"b":3}' }]), wire.text("It is ", "red.")],
      wire.config,
      {
        agent: { tools: [tool] },
        saveObject: async ({ length }) => ({ key: "k", sha256: "0", bytes: length }),
        loadObject: async () => png.bytes,
      },
    );
    expect(outcome).toMatchObject({ status: "COMPLETED", output: { content: "It is red." } });
    const asked = JSON.stringify(server.requests[1]?.body);
    const isShown = wire !== openaiCompatible;
    expect(asked.includes(png.bytes.toString("base64"))).toBe(isShown);
    expect(asked.includes("[image: red.png, image/png]")).toBe(!isShown);
  });

  test("reads the results of calls made together in the order it made them", async () => {
    const calls = [
      { id: "call_8", name: "add", input: '{"a":1,"b":1}' },
      { id: "call_9", name: "add", input: '{"a":2,"b":2}' },
    ];
    const { asked, order } = await runAgainst(wire, [wire.calls(calls), wire.text("Two and ", "four.")]);
    expect(asked[1]?.results).toEqual([
      { id: "call_8", text: "2" },
      { id: "call_9", text: "4" },
    ]);
    expect(order.slice(3, 5)).toEqual(["ToolCallStarted", "ToolCallCompleted"]);
  });

  test("gets its own reasoning back with the result it asked for, proof and all", async () => {
    const call = { id: "call_7", name: "add", input: '{"a":2,"b":3}' };
    const { outcome, server } = await runAgainst(wire, [wire.reasoned(call), wire.text("It is ", "5.")]);
    expect(outcome.output).toMatchObject({ content: "It is 5.", reasoning_content: "I add." });
    const [, again] = server.requests;
    expect(again && wire.reasonings(again)).toEqual([
      wire === openaiCompatible ? { text: "I add." } : { text: "I add.", proof: "sig-1" },
    ]);
    expect(again && wire.read(again).results).toEqual([{ id: "call_7", text: "5" }]);
  });

  test("is held to the schema of the answer", async () => {
    const Sum = { title: "Sum", type: "object", properties: { total: { type: "number" } } };
    const { outcome, server, asked } = await runAgainst(wire, [wire.shaped('{"total":5}')], wire.config, {
      agent: { output_schema: Sum, tools: [] },
    });
    expect(outcome.output).toMatchObject({ content: { total: 5 }, content_type: "Sum" });
    const [request] = server.requests;
    const shape = request && wire.shape(request);
    if (wire === openaiCompatible) expect(asked[0]?.system).toMatch(/^Be exact\..*JSON Schema.*"total"/s);
    else expect(shape).toMatchObject({ properties: { total: { type: "number" } } });
  });

  test("is asked again after a throttle, not before the moment it named, as one request", async () => {
    const slept: number[] = [];
    const clock = { ...tickingClock(), sleep: async (ms: number) => void slept.push(ms) };
    const busy = {
      ...wire.error(wire === anthropic ? 529 : 429, "slow down"),
      headers: { "retry-after": "7" },
    };
    const { outcome, events } = await runAgainst(wire, [busy, wire.text("It is ", "5.")], wire.config, {
      agent: { retries: 1 },
      clock,
    });
    expect(outcome.output).toMatchObject({ status: "COMPLETED", content: "It is 5." });
    expect(slept).toEqual([7_000]);
    expect(events.filter(({ event }) => event === "ModelRequestStarted")).toHaveLength(1);
  });

  test("that fails makes the run fail with what it said", async () => {
    const { outcome } = await runAgainst(wire, [wire.error(500, "the model is tired")]);
    expect(outcome).toMatchObject({ status: "ERROR", cause: "model", error: "the model is tired" });
  });

  test("that throttles says so, so that the run may be tried later", async () => {
    const { outcome } = await runAgainst(wire, [wire.error(429, "slow down")]);
    expect(outcome).toMatchObject({ status: "ERROR", cause: "throttled", error: "slow down" });
  });

  test("that throttles within its answer says so too; what came before stays", async () => {
    const { outcome } = await runAgainst(wire, [wire.throttledInStream("too much at once")]);
    expect(outcome).toMatchObject({ status: "ERROR", cause: "throttled", error: "too much at once" });
    expect(outcome.output.messages?.at(-1)).toMatchObject({ role: "assistant", content: "Half " });
  });

  test("that refuses the credential may not quote it", async () => {
    const { outcome } = await runAgainst(wire, [wire.error(403, "key-1 is not valid here")]);
    expect(outcome).toMatchObject({
      status: "ERROR",
      cause: "permission",
      error: "The model service refused the credential (403).",
    });
  });

  test("whose answer is cut off makes the run fail instead of passing half an answer for a whole one", async () => {
    const { outcome } = await runAgainst(wire, [wire.cutOff("Half an ans")]);
    expect(outcome).toMatchObject({ status: "ERROR", cause: "model" });
    expect(outcome.output.messages?.at(-1)).toMatchObject({ content: "Half an ans" });
  });

  test("that cannot be reached is not named by its address", async () => {
    const models = createModels({ MODEL: wire.spec, MODEL_BASE_URL: "http://127.0.0.1:1", ...wire.config });
    const { outcome } = await runAgent("Hello", { models });
    expect(outcome).toMatchObject({
      status: "ERROR",
      cause: "model",
      error: "The model service could not be reached or understood.",
    });
  });
});

test("a server that numbers its calls anew in every answer gets them back under ids of their own", async () => {
  const call = { id: "call_0", name: "add", input: '{"a":2,"b":3}' };
  const again = openaiCompatible.calls([call]);
  const { outcome, asked } = await runAgainst(openaiCompatible, [
    again,
    again,
    openaiCompatible.text("Do", "ne"),
  ]);
  const ids = outcome.output.tools?.map(({ tool_call_id }) => tool_call_id);
  expect(new Set(ids).size).toBe(2);
  expect(asked[2]?.results.map(({ id }) => id)).toEqual(ids);
});

test("a private server that asks for no key is sent none", async () => {
  const { server } = await runAgainst(openaiCompatible, [openaiCompatible.text("Hel", "lo")], {});
  expect(server.requests[0]?.headers).not.toHaveProperty("authorization");
});
