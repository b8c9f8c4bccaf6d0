import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { traceIdOf } from "../../../shared/stores/traces/trace-item.ts";
import { type Client, clientOf } from "../../support/client.ts";
import { callTool, mcpClient } from "../../support/mcp-world.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";
import { type SpanCollector, startSpanCollector } from "../../support/span-collector.ts";

/** `traceParent=trust` over the deployed bundles: the spans that are exported are part of the trace of who asked. */
let platform: TestPlatform;
let collector: SpanCollector;
let maria: Client;
const scopes = ["agents:run", "agents:read", "sessions:read", "traces:read"];

beforeAll(async () => {
  collector = await startSpanCollector();
  platform = await startPlatform({
    env: {
      TRACING: "on",
      TRACE_PARENT: "trust",
      OTLP_ENDPOINTS: collector.url,
      FETCH_ALLOWED_HOSTS: new URL(collector.url).host,
    },
  });
  maria = clientOf(platform.url, platform.token("maria", scopes));
});
afterAll(async () => {
  await platform?.stop();
  await collector?.stop();
});

let callers = 0;
/** Another system, in a span of a trace of its own. @param flags `01` where it samples that */
function aCaller(flags = "01") {
  callers += 1;
  const traceId = `4bf92f3577b34da6a3ce929d0e0e${String(callers).padStart(4, "0")}`;
  const spanId = `00f067aa0ba9${String(callers).padStart(4, "0")}`;
  const spans = () => collector.spans.filter((span) => span.traceId === traceId);
  return {
    ...{ traceId, spanId, traceparent: `00-${traceId}-${spanId}-${flags}` },
    /** The root of the run, once it was exported. */
    root: async () => {
      const found = () => spans().find(({ parentSpanId }) => parentSpanId === spanId);
      await expect.poll(found).toBeDefined();
      return { root: found(), spans: spans() };
    },
  };
}

describe("a run whose caller is trusted", () => {
  test("is a child of the caller's span, with all below it, and its stored trace keeps its own id", async () => {
    const caller = aCaller();
    const { json } = await maria.run(
      '[[tool:add_numbers {"a":2,"b":3}]]',
      {},
      { traceparent: caller.traceparent },
    );
    const { root, spans } = await caller.root();
    expect(root?.links).toEqual([]);
    expect(spans.some(({ name }) => name.includes("add_numbers"))).toBe(true);
    const ids = new Set([caller.spanId, ...spans.map(({ spanId }) => spanId)]);
    expect(spans.every(({ parentSpanId }) => parentSpanId !== undefined && ids.has(parentSpanId))).toBe(true);
    const own = traceIdOf(json.run_id);
    expect(collector.spans.filter(({ traceId }) => traceId === own)).toEqual([]);
    const stored = await maria.get(`/traces/${own}`);
    expect(stored).toMatchObject({ status: 200, json: { trace_id: own, run_id: json.run_id } });
    expect(stored.text).not.toContain(caller.traceId);
  });

  test("is that in the background and by a call of MCP too", async () => {
    const [queued, called] = [aCaller(), aCaller()];
    await maria.run("hello", { background: "true" }, { traceparent: queued.traceparent });
    expect((await queued.root()).root?.links).toEqual([]);
    const client = await mcpClient(platform, "maria", scopes);
    await client.callTool({
      name: "run_agent",
      arguments: { agent_id: "assistant", message: "hello" },
      _meta: { traceparent: called.traceparent },
    });
    expect((await called.root()).root?.links).toEqual([]);
    await client.close();
  });

  test("is traced though the caller samples nothing: what is traced is decided here", async () => {
    const caller = aCaller("00");
    await maria.run("hello", {}, { traceparent: caller.traceparent });
    expect((await caller.root()).root).toBeDefined();
  });

  test("has a trace of its own where the caller named none", async () => {
    const client = await mcpClient(platform, "maria", scopes);
    const { structuredContent } = await callTool(client, "run_agent", {
      agent_id: "assistant",
      message: "hello",
    });
    const own = traceIdOf(structuredContent.run_id);
    const root = () => collector.spans.find((span) => span.traceId === own && !span.parentSpanId);
    await expect.poll(root).toMatchObject({ links: [] });
    await client.close();
  });
});
