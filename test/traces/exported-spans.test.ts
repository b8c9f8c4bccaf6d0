import { convertGenAISpanAttributesToOpenInferenceSpanAttributes } from "@arizeai/openinference-genai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { defineAgent } from "../../shared/engine/define/agent.ts";
import { defineRemoteAgent } from "../../shared/engine/define/remote-agent.ts";
import { defineTeam } from "../../shared/engine/define/team.ts";
import type { WorkflowStep } from "../../shared/engine/define/workflow.ts";
import { connectSearch } from "../../shared/engine/recall/connect-search.ts";
import type { RunRequest } from "../../shared/engine/run/run-request.ts";
import { traceRun } from "../../shared/engine/run/trace-run.ts";
import { connectKnowledge } from "../../shared/knowledge/index.ts";
import { connectTracing, type TracingEnv } from "../../shared/tracing/connect-tracing.ts";
import { contentRule } from "../../shared/tracing/content-rule.ts";
import { conventionalSpan, GENAI_SEMCONV } from "../../shared/tracing/conventional-span.ts";
import { recordSpans } from "../../shared/tracing/record-spans.ts";
import { addNumbers } from "../support/registry/plain-tools.ts";
import { type SpanCollector, startSpanCollector } from "../support/span-collector.ts";
import { startStores, type TestStores } from "../support/stores.ts";
import { aWorkflowWorld } from "../workflows/a-workflow-world.ts";
import { tracingOn } from "./tracing-on.ts";

let stores: TestStores;
let collector: SpanCollector;
beforeAll(async () => {
  [stores, collector] = await Promise.all([startStores(), startSpanCollector()]);
});
afterAll(() => Promise.all([stores.stop(), collector.stop()]));

const SECRET = "the code is 4711";
const adder = defineAgent({
  ...{ id: "adder", name: "Adder", version: 4 },
  ...{ tools: [addNumbers], max_output_tokens: 500 },
});
const desk = defineTeam({ id: "desk", name: "Help desk", members: [adder] });
const task = `${SECRET} [[tool:add_numbers {"a":2,"b":3}]]`;
const TASK = `[[tool:delegate_task_to_member ${JSON.stringify({ member_id: "adder", task })}]]`;
const steps: readonly WorkflowStep[] = [
  { name: "prepare", type: "Step", executor: () => TASK },
  { name: "work", type: "Step", executor: desk },
];

/** The spans that a workflow exports, with its run. */
async function exported(
  env: Partial<TracingEnv> = {},
  error: (text: string, fields?: Readonly<Record<string, unknown>>) => void = (text) => expect(text).toBe(""),
) {
  const world = aWorkflowWorld(stores.db, steps);
  const tracing = connectTracing(
    { ...tracingOn, OTLP_ENDPOINTS: [collector.url], ...env },
    { db: stores.db, clock: world.clock, log: { error } },
  );
  const before = collector.spans.length;
  const run = await world.submit("begin");
  await world.deliver(tracing ? { tracing } : {});
  return { run, status: (await world.output(run)).status, spans: collector.spans.slice(before) };
}

describe("an exported span", () => {
  test("has the name, the kind and the attributes of the conventions, and nothing of what was said", async () => {
    const { run, spans } = await exported();
    const ofAll = {
      ...{ "gen_ai.conversation.id": run.session_id, "session.id": run.session_id },
      "user.id": "maria",
    };
    const usual = { ...ofAll, "agent_platform.run.id": expect.any(String) };
    const chat = {
      ...ofAll,
      "openinference.span.kind": "LLM",
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "scripted-1",
      "gen_ai.provider.name": "scripted",
      "gen_ai.request.stream": true,
      "gen_ai.output.type": "text",
      "gen_ai.usage.input_tokens": expect.any(Number),
      "gen_ai.usage.output_tokens": expect.any(Number),
      "gen_ai.response.time_to_first_chunk": expect.any(Number),
    };
    const agent = (name: string, id: string) => ({
      ...{ ...usual, "openinference.span.kind": "AGENT", "gen_ai.operation.name": "invoke_agent" },
      ...{ "gen_ai.agent.name": name, "agent_platform.component.id": id },
      "gen_ai.usage.input_tokens": expect.any(Number),
      "gen_ai.usage.output_tokens": expect.any(Number),
    });
    const tool = (name: string) => ({
      ...{ ...ofAll, "openinference.span.kind": "TOOL", "gen_ai.operation.name": "execute_tool" },
      ...{ "gen_ai.tool.name": name, "gen_ai.tool.type": "function" },
      ...{ "gen_ai.tool.description": expect.any(String), "gen_ai.tool.call.id": expect.any(String) },
    });
    const [called, ended] = ["tool_call", "stop"].map((reason) => ({
      ...chat,
      "gen_ai.response.finish_reasons": [reason],
    }));
    const seen = spans.map(({ name, kind, attributes }) => ({ name, kind, attributes }));
    const step = (name: string) => ({
      ...{ name: `${name}.execute`, kind: 1 },
      attributes: { ...ofAll, "openinference.span.kind": "CHAIN", "agent_platform.step.type": "Step" },
    });
    const limit = { "gen_ai.request.max_tokens": 500 };
    const [first] = chatsOf(seen);
    expect(first?.attributes).not.toHaveProperty("gen_ai.response.time_to_first_chunk");
    expect(seen).toEqual([
      step("prepare"),
      { name: "chat scripted-1", kind: 3, attributes: withoutTime(called) },
      { name: "chat scripted-1", kind: 3, attributes: { ...withoutTime(called), ...limit } },
      { name: "execute_tool add_numbers", kind: 1, attributes: tool("add_numbers") },
      { name: "chat scripted-1", kind: 3, attributes: { ...ended, ...limit } },
      {
        ...{ name: "invoke_agent Adder", kind: 1 },
        attributes: { ...agent("Adder", "adder"), "agent_platform.component.version": 4 },
      },
      { name: "execute_tool delegate_task_to_member", kind: 1, attributes: tool("delegate_task_to_member") },
      { name: "chat scripted-1", kind: 3, attributes: ended },
      { name: "invoke_agent Help desk", kind: 1, attributes: agent("Help desk", "desk") },
      step("work"),
      {
        ...{ name: "invoke_workflow Flow", kind: 1 },
        attributes: {
          ...{ ...usual, "openinference.span.kind": "CHAIN", "gen_ai.operation.name": "invoke_workflow" },
          ...{ "gen_ai.agent.name": "Flow", "gen_ai.workflow.name": "Flow" },
          "agent_platform.component.id": "flow",
          "agent_platform.workflow.steps": ["prepare", "work"],
          "agent_platform.workflow.step_types": ["Step", "Step"],
        },
      },
    ]);
    expect(JSON.stringify(spans)).not.toContain("4711");
    expect(spans[0]?.scope).toBe(`agent-platform ${manifest.version}+genai.${GENAI_SEMCONV}`);
  });

  test("sums what the calls of a run used, with what came from the cache", async () => {
    const { spans } = await exported();
    const member = spans.find(({ name }) => name.endsWith("Adder"));
    const sum = (name: string) =>
      chatsOf(spans)
        .filter(({ attributes }) => attributes["gen_ai.request.max_tokens"] === 500)
        .reduce((total, { attributes }) => total + Number(attributes[name]), 0);
    for (const name of ["gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens"])
      expect(member?.attributes[name]).toBe(sum(name));
  });

  test("has what was said where that is asked for, redacted, as the conventions write messages", async () => {
    const { spans } = await exported({ OTLP_CONTENT: "true", TRACE_REDACT: ["4711"] });
    expect(JSON.stringify(spans)).not.toContain("4711");
    const messages = (at: number, name: "input" | "output") =>
      JSON.parse(String(chatsOf(spans)[at]?.attributes[`gen_ai.${name}.messages`]));
    expect(messages(1, "input").at(-1)).toMatchObject({
      role: "user",
      parts: [{ type: "text", content: expect.stringContaining("the code is [redacted]") }],
    });
    expect(messages(1, "output")).toEqual([
      {
        role: "assistant",
        parts: [{ type: "tool_call", name: "add_numbers", arguments: { a: 2, b: 3 } }],
      },
    ]);
    const tool = spans.find(({ name }) => name === "execute_tool add_numbers");
    expect(tool?.attributes).toMatchObject({
      "gen_ai.tool.call.arguments": '{"a":2,"b":3}',
      "gen_ai.tool.call.result": "5",
      "input.value": '{"a":2,"b":3}',
      "output.value": "5",
    });
  });

  test("of a model call has its instructions and its tools, which stored spans do not have", async () => {
    const { spans } = await exported({ OTLP_CONTENT: "true", TRACE_REDACT: ["numbers\\."] });
    const call = chatsOf(spans).at(1)?.attributes ?? {};
    const [first] = JSON.parse(String(call["gen_ai.tool.definitions"]));
    expect(first).toMatchObject({
      ...{ type: "function", name: "add_numbers", description: "Add two [redacted]" },
      parameters: { type: "object", required: ["a", "b"] },
    });
    const [leader] = chatsOf(spans);
    expect(JSON.parse(String(leader?.attributes["gen_ai.system_instructions"]))).toEqual([
      { type: "text", content: expect.stringContaining("adder") },
    ]);
    expect(String(leader?.attributes["gen_ai.input.messages"])).not.toContain('"system"');
    const { spans: without } = await exported({ OTLP_CONTENT: "true", TRACE_CONTENT: "off" });
    expect(JSON.stringify(without)).not.toMatch(/system_instructions|tool\.definitions/);
  });

  /** Of a search whose embedder answers so. */
  const searched = async (embed: () => Promise<number[][]>) => {
    const { recorder } = aRecorder();
    const knowledge = {
      ...connectKnowledge(stores.db, {
        ...{ VECTOR_STORE: "dynamodb", EMBEDDER: "none" },
        KNOWLEDGE_BASES: [{ name: "handbook", max_results: 5, sources: [] }],
      }),
      embedder: {
        ...{ id: "openai:text-embedding-3-small", provider: "openai", description: "" },
        server: "api.openai.com",
        embed,
      },
    };
    const found = await connectSearch(knowledge)(
      { base: "handbook", query: "a word", filter: { op: "AND", conditions: [] }, chosen: {}, user_id: null },
      recorder.span,
    ).catch((thrown: unknown) => thrown);
    return { found, spans: recorder.ended().map((span) => conventionalSpan(span, false)) };
  };

  test("of a search that fails, and of its embedding, has what was thrown", async () => {
    const { found, spans } = await searched(async () => {
      throw new RangeError("too long");
    });
    expect(found).toBeInstanceOf(RangeError);
    expect(spans.map(({ name, attributes }) => [name, attributes["error.type"]])).toEqual([
      ["embeddings text-embedding-3-small", "RangeError"],
      ["retrieval handbook", "RangeError"],
    ]);
  });

  test("of a search has one for its embedding, a call of the host that embeds", async () => {
    const { found, spans } = await searched(async () => [[1, 0]]);
    expect(found).toEqual([]);
    expect(spans).toEqual([
      {
        ...{ name: "embeddings text-embedding-3-small", kind: "client" },
        attributes: {
          ...{ "openinference.span.kind": "EMBEDDING", "gen_ai.operation.name": "embeddings" },
          ...{ "gen_ai.request.model": "text-embedding-3-small", "gen_ai.provider.name": "openai" },
          "server.address": "api.openai.com",
        },
      },
      {
        ...{ name: "retrieval handbook", kind: "internal" },
        attributes: {
          ...{ "openinference.span.kind": "RETRIEVER", "gen_ai.operation.name": "retrieval" },
          ...{ "gen_ai.data_source.id": "handbook", "gen_ai.retrieval.top_k": 5 },
          "agent_platform.retrieval.documents": 0,
        },
      },
    ]);
  });

  test("has no content where traces record none", async () => {
    const { spans } = await exported({ OTLP_CONTENT: "true", TRACE_CONTENT: "off" });
    for (const { attributes } of spans)
      expect(Object.keys(attributes).filter((name) => /messages|value|arguments|result/.test(name))).toEqual(
        [],
      );
  });

  test("of an agent elsewhere is a call of the host that its card is at", async () => {
    const { recorder } = aRecorder();
    const far = defineRemoteAgent({
      id: "far",
      card: "https://desk.example:8443/.well-known/agent-card.json",
    });
    const request = { run_id: "r1", session_id: "s1", user_id: "maria", input: "hello" } as RunRequest;
    await traceRun(far, request, { span: recorder.span }, async () => ({
      status: "COMPLETED" as const,
      output: { content: "hello" },
    }));
    const [span] = recorder.ended();
    if (!span) throw new Error("no span was recorded");
    expect(conventionalSpan(span, false)).toMatchObject({
      ...{ name: "invoke_agent far", kind: "client" },
      attributes: { "server.address": "desk.example" },
    });
  });

  test("names a service as the conventions do, and cache writes by the old name too", () => {
    const span = (provider: string, attributes: object = {}) =>
      conventionalSpan(
        {
          ...{ id: "1", name: "m.invoke", start_ms: 0, status: "OK" },
          attributes: {
            "openinference.span.kind": "LLM",
            "gen_ai.operation.name": "chat",
            "gen_ai.request.model": "m",
            "gen_ai.provider.name": provider,
            ...attributes,
          },
        },
        true,
      );
    const named = ["OpenAI", "Amazon Bedrock", "OpenAI compatible"].map(
      (label) => span(label).attributes["gen_ai.provider.name"],
    );
    expect(named).toEqual(["openai", "aws.bedrock", "openai_compatible"]);
    const cached = span("Anthropic", { "gen_ai.usage.cache_creation.input_tokens": 7 }).attributes;
    expect(cached["gen_ai.usage.cache_write.input_tokens"]).toBe(7);
    expect(cached["gen_ai.usage.cache_creation.input_tokens"]).toBe(7);
    // A text that was cut is no JSON any more.
    const cut = span("Anthropic", { "input.value": '[{"role":"user","content":"half a' }).attributes;
    expect(JSON.parse(String(cut["gen_ai.input.messages"]))).toEqual([
      { role: "user", parts: [{ type: "text", content: '[{"role":"user","content":"half a' }] },
    ]);
  });
});

test("Phoenix finds model, tokens, messages and tools in what is exported by the conventions alone", async () => {
  const { run, spans } = await exported({ OTLP_CONTENT: "true" });
  const read = chatsOf(spans).map(({ attributes }) => {
    const conventional = Object.entries(attributes).filter(([name]) => name.startsWith("gen_ai."));
    return convertGenAISpanAttributesToOpenInferenceSpanAttributes(Object.fromEntries(conventional));
  });
  const [, called] = chatsOf(spans);
  expect(read[1]).toMatchObject({
    ...{ "openinference.span.kind": "LLM", "llm.model_name": "scripted-1", "llm.provider": "scripted" },
    "llm.token_count.prompt": called?.attributes["gen_ai.usage.input_tokens"],
    "llm.token_count.completion": called?.attributes["gen_ai.usage.output_tokens"],
    "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "add_numbers",
    "llm.tools.0.tool.json_schema": expect.stringContaining("add_numbers"),
  });
  // Phoenix and Langfuse read session and user under OpenInference's own names, from any span.
  for (const { attributes } of spans) {
    expect(attributes).toMatchObject({ "session.id": run.session_id, "user.id": "maria" });
    expect(Object.keys(attributes).length).toBeLessThan(96);
  }
});

describe("metrics of traced runs", () => {
  const METRICS = { OTLP_METRICS: "true" } as const;

  test("are sent once, by the conventions' names, without a user, a session or a run", async () => {
    await exported();
    expect(collector.metrics).toEqual([]);
    const { spans } = await exported(METRICS);
    const sent = collector.metrics.splice(0);
    const chats = chatsOf(spans);
    const points = (name: string) => sent.filter((one) => one.name === name).flatMap((one) => one.points);
    const count = (name: string) => points(name).reduce((sum, point) => sum + point.count, 0);
    const tokens = (name: string) => chats.reduce((sum, { attributes }) => sum + Number(attributes[name]), 0);
    expect(count("gen_ai.client.inference.duration")).toBe(chats.length);
    expect(count("gen_ai.invoke_agent.duration")).toBe(3);
    expect(count("gen_ai.execute_tool.duration")).toBe(2);
    for (const name of ["input_tokens", "output_tokens"])
      expect(count(`gen_ai.client.inference.usage.${name}`)).toBe(tokens(`gen_ai.usage.${name}`));
    const buckets = points("gen_ai.client.inference.duration").flatMap((one) => one.bucketCounts ?? []);
    expect(buckets.reduce((sum, held) => sum + Number(held), 0)).toBe(chats.length);
    const dimensions = sent.flatMap((one) => one.points.flatMap((point) => Object.keys(point.dimensions)));
    expect([...new Set(dimensions)].toSorted()).toEqual([
      "gen_ai.agent.name",
      "gen_ai.operation.name",
      "gen_ai.provider.name",
      "gen_ai.request.model",
      "gen_ai.token.modality",
      "gen_ai.tool.name",
      "gen_ai.tool.type",
    ]);
  });

  test("that an endpoint does not take are dropped and counted; the run ends as it would", async () => {
    collector.state.takesMetrics = false;
    const faults: unknown[] = [];
    const { status } = await exported(METRICS, (_, fields) => faults.push(fields?.otlp_metric_faults));
    collector.state.takesMetrics = true;
    expect(status).toBe("COMPLETED");
    expect(faults).toEqual([1]);
    await exported(METRICS);
    expect(
      collector.metrics.splice(0).filter(({ name }) => name.endsWith("inference.duration")),
    ).toHaveLength(1);
  });
});

/** A recorder of spans that are written nowhere. */
function aRecorder() {
  const clock = { now: () => 1_000, sleep: async () => undefined };
  const scope = { trace_id: "0".repeat(32), exported_id: "0".repeat(32), clock, sampled: true };
  return { recorder: recordSpans({ ...scope, rule: contentRule(false, []), begunAt: new Map() }, []) };
}

const chatsOf = <S extends { readonly name: string }>(spans: readonly S[]): S[] =>
  spans.filter(({ name }) => name.startsWith("chat "));

/** A call of a tool has no first chunk: it comes whole. */
function withoutTime(attributes: Readonly<Record<string, unknown>> = {}) {
  const { "gen_ai.response.time_to_first_chunk": _, ...rest } = attributes;
  return rest;
}
