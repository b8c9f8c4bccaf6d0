import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { traceIdOf } from "../../../shared/stores/traces/trace-item.ts";
import { type McpProcess, startMcpServer } from "../../engine/mcp/start-server.ts";
import { type Client, clientOf } from "../../support/client.ts";
import { startMcpToolServer } from "../../support/mcp-tool-server.ts";
import { callTool, mcpClient } from "../../support/mcp-world.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";
import { type SpanCollector, startSpanCollector } from "../../support/span-collector.ts";
import { allBut } from "../../support/test-registry.ts";

/** Tools of an MCP server in another process, called by the bundles; the runs are traced, and a collector is sent their spans. */
let platform: TestPlatform;
let server: McpProcess;
let newer: Awaited<ReturnType<typeof startMcpToolServer>>;
let collector: SpanCollector;
let maria: Client;
let folder: string;

const scopes = ["agents:run", "agents:read", "sessions:read"];
beforeAll(async () => {
  [server, newer, collector] = await Promise.all([
    startMcpServer(),
    startMcpToolServer(),
    startSpanCollector(),
  ]);
  folder = mkdtempSync(join(import.meta.dirname, "../../../node_modules/.cache/mcp-registry-"));
  const registry = join(folder, "registry.ts");
  writeFileSync(registry, registryAt(server.url, newer.url));
  await startAnew();
});
/** Starts the platform, over what an earlier one has left. */
async function startAnew(): Promise<void> {
  await platform?.stop();
  platform = await startPlatform({
    registry: join(folder, "registry.ts"),
    dataDir: join(folder, "data"),
    without: allBut("runnables", "runs", "worker"),
    env: {
      TRACING: "on",
      OS_ID: "harbour-desk",
      OTLP_ENDPOINTS: collector.url,
      FETCH_ALLOWED_HOSTS: [server.url, newer.url, collector.url].map((url) => new URL(url).host).join(),
    },
  });
  maria = clientOf(platform.url, platform.token("maria", scopes));
}
beforeEach(() => server.reset());
afterAll(async () => {
  await platform?.stop();
  await Promise.all([server?.stop(), newer?.stop(), collector?.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

const define = join(import.meta.dirname, "../../../shared/engine/define/index.ts");
const program = join(import.meta.dirname, "../../engine/mcp/stdio-program.ts");
const registryAt = (url: string, ofNewer: string) => `
import { defineAgent, defineMcpTools, defineRegistry } from ${JSON.stringify(define)};
const headers = ({ user_id }: { user_id: string | null }) => ({ authorization: "Bearer of " + user_id });
export const registry = defineRegistry({
  agents: [
    defineAgent({ id: "assistant", name: "Clerk", tool_sources: [defineMcpTools({ url: "${url}", headers })] }),
    defineAgent({ id: "payer", name: "Payer", tool_sources: [defineMcpTools({ url: "${ofNewer}", name: "bank" })] }),
    defineAgent({ id: "local", name: "Local", tool_sources: [defineMcpTools({ command: "node", args: [${JSON.stringify(program)}] })] }),
  ],
  teams: [],
  workflows: [],
});
`;

const call = async (written: string, headers?: Record<string, string>) =>
  (await maria.run(`[[tool:${written}]]`, {}, headers)).json;
const ADD = 'math_add {"a": 2, "b": 3}';

describe("a tool of an MCP server", () => {
  test("answers a run at once and in the background, with the header of its user", async () => {
    expect(await call(ADD)).toMatchObject({ status: "COMPLETED", content: "5" });
    const later = await maria.settled(await maria.submit(`[[tool:${ADD}]]`));
    expect(later).toMatchObject({ status: "COMPLETED", content: "5" });
    const { calls, authorization } = await server.seen();
    expect(calls).toEqual(Array.from({ length: 2 }, () => ({ name: "math.add", args: { a: 2, b: 3 } })));
    expect(authorization).toBe("Bearer of maria");
  });

  test.each([
    { status: "404", text: "no such session" },
    { status: "400", text: "Bad Request: No valid session ID provided" },
  ])("is called in a new session where its server forgot the old one: $status", async (as) => {
    await call("charge {}");
    const { sessions } = await server.seen();
    await server.forget(as);
    expect((await call("charge {}")).tools).toMatchObject([{ tool_call_error: false }]);
    const seen = await server.seen();
    expect([seen.sessions, seen.calls.length]).toEqual([sessions + 1, 2]);
  });

  test.each([
    ["404", "no such session"],
    ["400", "Bad Request: No valid session ID provided"],
    ["400", "Bad Request"],
  ])(
    "is called in a new session where the server answers %s, %s, for the one before",
    async (status, text) => {
      await call(ADD);
      await server.forget({ status, text });
      expect((await call(ADD)).tools).toMatchObject([{ tool_call_error: false, result: "5" }]);
      expect(await server.seen()).toMatchObject({ calls: [{}, {}] });
    },
  );

  test("that a server adds can be called right after it has said so", async () => {
    const missing = await call("grown {}");
    expect(
      missing.tools?.some(({ tool_call_error }: { tool_call_error: boolean }) => !tool_call_error),
    ).not.toBe(true);
    await call('math_add {"a": "grow", "b": 1}');
    await expect
      .poll(async () => (await call("grown {}")).tools?.at(-1))
      .toMatchObject({
        tool_name: "grown",
        tool_call_error: false,
      });
  });
});

test("a program of the machine has its tools called, found as the shell finds it", async () => {
  const form = { message: "[[tool:count {}]]", stream: "false" };
  const { json } = await maria.post("/agents/local/runs", { form });
  expect(json).toMatchObject({ status: "COMPLETED", content: "1" });
});

describe("a call that is not over with its first answer", () => {
  const ofPayer = (run_id = "", rest = "") => `/agents/payer/runs${run_id && `/${run_id}`}${rest}`;
  const begun = async (written: string) => {
    const form = { message: `[[tool:${written}]]`, stream: "false", background: "true" };
    return (await maria.post(ofPayer(), { form })).json as { run_id: string; session_id: string };
  };
  const until = async ({ run_id, session_id }: { run_id: string; session_id: string }, status: string) => {
    const read = async () => (await maria.get(`${ofPayer(run_id)}?session_id=${session_id}`)).json;
    await expect.poll(async () => (await read()).status, { timeout: 20_000 }).toBe(status);
    return read();
  };

  test("has a person asked who answers in another process, and no one is shown what the server wants back", async () => {
    const run = await begun("ask {}");
    const paused = await until(run, "PAUSED");
    expect(paused.requirements[0].confirmation_note).toBe("The MCP server bank asks: Which account?");
    expect(JSON.stringify(paused)).not.toContain("byte for byte");
    await startAnew();
    const [asked] = paused.requirements;
    const values: Record<string, unknown> = { account: "a-1", amount: 250 };
    const user_input_schema = asked.user_input_schema.map((field: { name: string; value: unknown }) => ({
      ...field,
      value: values[field.name] ?? field.value,
    }));
    const requirements = JSON.stringify([{ ...asked, user_input_schema }]);
    const form = { requirements, session_id: run.session_id, background: "true", stream: "false" };
    const continued = await maria.post(ofPayer(run.run_id, "/continue"), { form });
    expect([continued.status, continued.text]).toEqual([202, expect.any(String)]);
    const { tools } = await until(run, "COMPLETED");
    expect(tools[0].result).toBe('took {"action":"accept","content":{"account":"a-1","amount":250}}');
  });

  test("as a task has it cancelled with its run, once, also where the run waits for a person", async () => {
    newer.state.task = { asksLeft: 1_000, end: "completed" };
    const cancels = () => newer.methods().filter((method) => method === "tasks/cancel task-1").length;
    const executed = await begun("slow {}");
    await expect.poll(() => newer.methods().includes("tasks/get task-1"), { timeout: 20_000 }).toBe(true);
    await maria.post(`${ofPayer(executed.run_id, "/cancel")}?session_id=${executed.session_id}`);
    await until(executed, "CANCELLED");
    expect(cancels()).toBe(1);
    newer.state.task = { asksLeft: 0, end: "input_required" };
    const waiting = await begun("slow {}");
    await until(waiting, "PAUSED");
    await maria.post(`${ofPayer(waiting.run_id, "/cancel")}?session_id=${waiting.session_id}`);
    await until(waiting, "CANCELLED");
    expect(cancels()).toBe(2);
  });
});

describe("the trace context of another system", () => {
  const [traceId, spanId] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];
  const traceparent = `00-${traceId}-${spanId}-01`;
  const spansOf = async (run_id: string) => {
    const found = () => collector.spans.filter((span) => span.traceId === traceIdOf(run_id));
    await expect.poll(() => found().some(({ parentSpanId }) => !parentSpanId)).toBe(true);
    return { spans: found(), root: found().find(({ parentSpanId }) => !parentSpanId) };
  };

  test("is a link of the run that its request begins, and the server of a tool is given the span of its call", async () => {
    const { run_id } = await call(ADD, { traceparent });
    const { spans, root } = await spansOf(run_id);
    expect(root?.links).toMatchObject([{ traceId, spanId }]);
    const [, trace, span] = (await server.seen()).traceparent.split("-");
    expect(trace).toBe(traceIdOf(run_id));
    expect(spans.find((one) => one.spanId === span)?.name).toContain("math_add");
  });

  test("is a link of a background run, and of one that a call of MCP begins", async () => {
    const accepted = await maria.run(ADD, { background: "true" }, { traceparent });
    expect((await spansOf(accepted.json.run_id)).root?.links).toMatchObject([{ traceId, spanId }]);
    const client = await mcpClient(platform, "maria", scopes);
    const called = await client.callTool({
      name: "run_agent",
      arguments: { agent_id: "assistant", message: "hello" },
      _meta: { traceparent },
    });
    const { run_id } = called.structuredContent as { run_id: string };
    expect((await spansOf(run_id)).root?.links).toMatchObject([{ traceId, spanId }]);
    const { structuredContent } = await callTool(client, "run_agent", {
      agent_id: "assistant",
      message: "hello",
    });
    expect((await spansOf(structuredContent.run_id)).root?.links).toEqual([]);
  });

  test("leaves the resource alone: the spans name the instance, its stage and its version", async () => {
    const { run_id } = await call(ADD);
    const { spans } = await spansOf(run_id);
    for (const { resource } of spans) {
      expect(resource).toEqual({
        "service.name": "harbour-desk",
        "service.version": expect.stringMatching(/^\d+\.\d+\.\d+/),
        "deployment.environment.name": "local",
      });
    }
  });
});
