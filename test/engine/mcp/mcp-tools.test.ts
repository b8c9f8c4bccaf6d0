import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { TraceSpan } from "../../../shared/engine/ports/tracing.ts";
import { RunStopped } from "../../../shared/engine/run/next-step.ts";
import { defineMcpTools } from "../../../shared/engine/tool/mcp/define-mcp-tools.ts";
import { promptTools } from "../../../shared/engine/turn/build-prompt.ts";
import { connectToolSecrets } from "../../../shared/runtime/secrets/tool-secrets.ts";
import { anAgent, aRequest, aTool, eventsOf, runAgent } from "../support/run-agent.ts";
import { type McpProcess, startMcpServer } from "./start-server.ts";

let server: McpProcess;
beforeAll(async () => {
  server = await startMcpServer();
});
beforeEach(() => server.reset());
afterAll(() => server.stop());

const list = (source: ReturnType<typeof defineMcpTools>) =>
  source.list(new AbortController().signal, { run_id: "r", session_id: "s", user_id: "maria", secrets: {} });
const agentWith = (...tool_sources: ReturnType<typeof defineMcpTools>[]) => anAgent({ tool_sources });
const resultOf = async (run: ReturnType<typeof runAgent>) => (await run).outcome.output.tools?.at(-1)?.result;

describe("the tools of an MCP server", () => {
  test("are called by a run like any other, and their answer is read", async () => {
    const run = await runAgent('[[tool:math_add {"a": 2, "b": 3}]]', {
      agent: agentWith(defineMcpTools({ url: server.url })),
    });
    expect(run.outcome).toMatchObject({ status: "COMPLETED", output: { content: "5" } });
    expect(run.order).toContain("ToolCallCompleted");
    expect((await server.seen()).calls).toEqual([{ name: "math.add", args: { a: 2, b: 3 } }]);
  });

  test("are called with the span of their call, where the run is traced", async () => {
    const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    const span = (): TraceSpan => ({ child: span, end: () => undefined, traceparent });
    const agent = agentWith(defineMcpTools({ url: server.url }));
    await runAgent('[[tool:math_add {"a": 2, "b": 3}]]', { agent, span: span() });
    expect((await server.seen()).traceparent).toBe(traceparent);
    await runAgent('[[tool:math_add {"a": 2, "b": 3}]]', { agent });
    expect((await server.seen()).traceparent).toBe("");
  });

  test("come from all pages of its list, with its schemas and under names that models take", async () => {
    const tools = await list(defineMcpTools({ url: server.url }));
    expect(tools.map(({ name }) => name)).toEqual(["charge", "dawdle", "math_add", "refuse", "show"]);
    expect(tools[2]).toMatchObject({ description: "Add.", input_schema: { required: ["a", "b"] } });
    expect(tools[3]?.description).toBe("Refuse everything");
  });

  test("are the same bytes to a model, in whichever order the server lists them and writes their schemas", async () => {
    const shown = async () => JSON.stringify(promptTools(await list(defineMcpTools({ url: server.url }))));
    const before = await shown();
    await fetch(new URL("/reset?reversed", server.url), { method: "POST" });
    expect(await shown()).toBe(before);
    expect(before).toContain('"required":["a","b"]');
  });

  test("do harm when called twice, unless the server says otherwise", async () => {
    const tools = await list(defineMcpTools({ url: server.url }));
    expect(Object.fromEntries(tools.map(({ name, effect }) => [name, effect]))).toMatchObject({
      math_add: "safe",
      dawdle: "safe",
      charge: "once",
    });
  });

  test("are those that were asked for, prefixed and to be confirmed where that was asked for", async () => {
    const source = defineMcpTools({
      url: server.url,
      include: ["charge"],
      prefix: "bank_",
      requires_confirmation: ["charge"],
    });
    expect(await list(source)).toMatchObject([{ name: "bank_charge", requires_confirmation: true }]);
    const { outcome } = await runAgent("[[tool:bank_charge {}]]", { agent: agentWith(source) });
    expect(outcome.status).toBe("PAUSED");
    expect((await server.seen()).calls).toEqual([]);
  });

  test("that fail give the model the reason", async () => {
    const agent = agentWith(defineMcpTools({ url: server.url }));
    const run = await runAgent("[[tool:refuse {}]]", { agent });
    expect(run.outcome.status).toBe("COMPLETED");
    expect(eventsOf(run, "ToolCallError")).toMatchObject([{ error: "not today" }]);
  });

  test("may answer with values, and with files, which are named and kept", async () => {
    const agent = agentWith(defineMcpTools({ url: server.url }));
    expect(await resultOf(runAgent("[[tool:charge {}]]", { agent }))).toBe('{"charged":true}');
    const kept: string[] = [];
    const saveObject = async (bytes: Uint8Array) => {
      kept.push(Buffer.from(bytes).toString());
      return { key: "k", sha256: "0", bytes: bytes.length };
    };
    const run = await runAgent("[[tool:show {}]]", { agent, saveObject });
    expect(run.outcome.output.tools?.at(-1)?.result).toBe("Here:\n[image of type image/png]\ninside a");
    expect(run.outcome.output.images).toMatchObject([{ mime_type: "image/png", object: { bytes: 2 } }]);
    expect(kept).toEqual(["hi"]);
  });

  test("are notified when the run that waits for them is stopped", async () => {
    const stop = new AbortController();
    const { outcome } = await runAgent("[[tool:dawdle {}]]", {
      agent: agentWith(defineMcpTools({ url: server.url })),
      signal: stop.signal,
      onEvent: ({ event }) => {
        if (event !== "ToolCallStarted") return;
        void vi
          .waitUntil(async () => (await server.seen()).calls.length === 1)
          .then(() => stop.abort(new RunStopped("cancelled", "enough")));
      },
    });
    expect(outcome.status).toBe("CANCELLED");
    await vi.waitUntil(async () => (await server.seen()).cancelled === 1);
  });

  test("that take longer than the server is given fail, and the run goes on", async () => {
    const source = defineMcpTools({ url: server.url, timeout_seconds: 0.5 });
    const { outcome } = await runAgent("[[tool:dawdle {}]]", { agent: agentWith(source) });
    expect(outcome.output.tools).toMatchObject([{ tool_call_error: true }]);
    expect(outcome.output.tools?.[0]?.result).toMatch(/timed out/i);
  });
});

describe("an MCP server", () => {
  test("is asked for its list every five minutes, in one session, with the credential", async () => {
    let nowMs = 0;
    const headers = () => ({ authorization: "Bearer secret" });
    const source = defineMcpTools({ url: server.url, headers }, { now: () => nowMs });
    const [first, second] = await Promise.all([list(source), list(source)]);
    expect(second).toBe(first);
    const asked = (await server.seen()).methods.length;
    nowMs += 299_000;
    expect(await list(source)).toBe(first);
    expect((await server.seen()).methods.length).toBe(asked);
    nowMs += 2_000;
    expect(await list(source)).not.toBe(first);
    expect(await server.seen()).toMatchObject({ sessions: 1, authorization: "Bearer secret" });
    expect((await server.seen()).methods).not.toContain("GET");
  });

  test("is called with the secret that it declares, in a new session once that has changed", async () => {
    const values = { CRM_KEY: "the first key" };
    const toolSecrets = connectToolSecrets(
      { TOOL_SECRETS: {}, TOOL_SECRET_VALUES: values },
      { clock: { now: () => 0 } },
    );
    const source = defineMcpTools({
      url: server.url,
      secrets: ["CRM_KEY"],
      headers: ({ secrets }) => ({ authorization: `Bearer ${secrets.CRM_KEY}` }),
    });
    const call = () => runAgent("[[tool:charge {}]]", { agent: agentWith(source), toolSecrets });
    expect((await call()).outcome.output.tools).toMatchObject([{ tool_call_error: false }]);
    await call();
    expect(await server.seen()).toMatchObject({ sessions: 1, authorization: "Bearer the first key" });
    values.CRM_KEY = "the next key";
    await call();
    expect(await server.seen()).toMatchObject({ sessions: 2, authorization: "Bearer the next key" });
  });

  test("sees each user in a session of their own, and which run asks", async () => {
    const source = defineMcpTools({
      url: server.url,
      headers: ({ user_id, run_id, session_id }) => ({ authorization: `${user_id} ${run_id} ${session_id}` }),
    });
    const call = async (user_id: string | null, run_id: string) => {
      await runAgent("[[tool:charge {}]]", {
        agent: agentWith(source),
        request: aRequest("[[tool:charge {}]]", { user_id, run_id, session_id: `session of ${user_id}` }),
      });
      return server.seen();
    };
    expect(await call("maria", "run-1")).toMatchObject({
      sessions: 1,
      authorization: "maria run-1 session of maria",
    });
    expect(await call("jonas", "run-2")).toMatchObject({
      sessions: 2,
      authorization: "jonas run-2 session of jonas",
    });
    expect(await call("maria", "run-3")).toMatchObject({
      sessions: 2,
      authorization: "maria run-3 session of maria",
    });
    expect(await call(null, "run-4")).toMatchObject({
      sessions: 3,
      authorization: "null run-4 session of null",
    });
  });

  test("has fifty sessions of a process, and the one that was used longest ago is opened anew", async () => {
    const source = defineMcpTools({ url: server.url });
    const asking = (user_id: string) => ({ run_id: "r", session_id: "s", user_id, secrets: {} });
    const ask = (user: string) => source.list(new AbortController().signal, asking(user));
    for (let i = 0; i <= 50; i++) await ask(`user-${i}`);
    const [charge] = (await ask("user-50")).filter(({ name }) => name === "charge");
    const context = (user_id: string) =>
      ({ ...asking(user_id), signal: new AbortController().signal }) as never;
    await charge?.execute?.({}, context("user-50"));
    expect((await server.seen()).sessions).toBe(51);
    await charge?.execute?.({}, context("user-0"));
    expect((await server.seen()).sessions).toBe(52);
  });

  test("whose secret cannot be read fails the run, by the secret's name", async () => {
    const source = defineMcpTools({ url: server.url, name: "crm", secrets: ["CRM_KEY"] });
    const { outcome } = await runAgent("Hello", { agent: agentWith(source) });
    expect(outcome).toMatchObject({ status: "ERROR", cause: "tools" });
    expect((await server.seen()).sessions).toBe(0);
  });

  test("that forgot the session is called in a new one, and each call reaches it once", async () => {
    const agent = agentWith(defineMcpTools({ url: server.url }));
    await runAgent("[[tool:charge {}]]", { agent });
    await server.forget();
    const { outcome } = await runAgent("[[tool:charge {}]]", { agent });
    expect(outcome.output.tools).toMatchObject([{ tool_call_error: false }]);
    expect(await server.seen()).toMatchObject({ sessions: 2, calls: [{}, {}] });
  });

  test.for(["Bad Request: No valid session ID provided", "Invalid or expired session"])(
    "that answers 400 for a session which it forgot is called in a new one: %s",
    async (text) => {
      const agent = agentWith(defineMcpTools({ url: server.url }));
      await runAgent("[[tool:charge {}]]", { agent });
      await server.forget({ status: "400", text });
      const { outcome } = await runAgent("[[tool:charge {}]]", { agent });
      expect(outcome.output.tools).toMatchObject([{ tool_call_error: false }]);
      expect(await server.seen()).toMatchObject({ sessions: 2, calls: [{}, {}] });
    },
  );

  test("that answers 400 without a reason is asked again for what does no harm, and for nothing else", async () => {
    const agent = agentWith(defineMcpTools({ url: server.url }));
    await runAgent("[[tool:charge {}]]", { agent });
    await server.forget({ status: "400", text: "Bad Request" });
    const charged = await runAgent("[[tool:charge {}]]", { agent });
    expect(charged.outcome.output.tools).toMatchObject([{ tool_call_error: true }]);
    const added = await runAgent('[[tool:math_add {"a":2,"b":3}]]', { agent });
    expect(added.outcome.output.tools).toMatchObject([{ result: "5" }]);
  });

  test("that says that its tools have changed is asked for them at once", async () => {
    const source = defineMcpTools({ url: server.url }, { now: () => 0 });
    const namesOf = async () => (await list(source)).map(({ name }) => name);
    expect(await namesOf()).not.toContain("grown");
    await runAgent('[[tool:math_add {"a":"grow","b":1}]]', { agent: agentWith(source) });
    expect(await namesOf()).toContain("grown");
  });

  test("that cannot be reached fails the run before it asks its model anything", async () => {
    const { tool } = aTool();
    const unreachable = defineMcpTools({ url: "http://127.0.0.1:1/mcp", name: "bank" });
    const agent = anAgent({ tools: [tool], tool_sources: [unreachable] });
    const run = await runAgent("Hello", { agent });
    expect(run.outcome).toMatchObject({
      status: "ERROR",
      cause: "tools",
      error: "The tools of the MCP server bank could not be listed.",
    });
    expect(run.order).toEqual(["RunStarted", "RunError"]);
  });

  test("that lacks a tool which the agent counts on fails the run", async () => {
    const source = defineMcpTools({ url: server.url, include: ["charge", "mint_money"] });
    const { outcome } = await runAgent("Hello", { agent: agentWith(source) });
    expect(outcome).toMatchObject({ status: "ERROR", cause: "tools" });
  });

  test("whose tools bear the names of another's needs a prefix", async () => {
    const sources = [server.url, server.url].map((url) => defineMcpTools({ url }));
    const { outcome } = await runAgent("Hello", { agent: agentWith(...sources) });
    expect(outcome).toMatchObject({
      status: "ERROR",
      error: expect.stringContaining(
        "two tools named charge: one of an MCP server (tool source 1), one of an MCP server (tool source 2)",
      ),
    });
  });
});
