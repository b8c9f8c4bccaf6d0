import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { defineMcpTools } from "../../../shared/engine/tool/mcp/define-mcp-tools.ts";
import type { McpServer } from "../../../shared/engine/tool/mcp/mcp-server.ts";
import { startMcpToolServer } from "../../support/mcp-tool-server.ts";
import { anAgent, runAgent } from "../support/run-agent.ts";
import { type McpProcess, startMcpServer } from "./start-server.ts";

/** Tools of servers of version 2026-07-28 of the protocol, beside one that knows none but older ones. */
let old: McpProcess;
let server: Awaited<ReturnType<typeof startMcpToolServer>>;
beforeAll(async () => {
  old = await startMcpServer();
});
beforeEach(async () => {
  // A server of its own each, so that nothing is known of it.
  await server?.stop();
  [server] = await Promise.all([startMcpToolServer(), old.reset()]);
});
afterAll(() => Promise.all([old.stop(), server.stop()]));

const asking = { run_id: "r", session_id: "s", user_id: "maria", secrets: {} };
const listOf = (source: ReturnType<typeof defineMcpTools>, user_id = "maria") =>
  source.list(new AbortController().signal, { ...asking, user_id });
type Settings = Partial<Extract<McpServer, { readonly url: string }>>;
const source = (settings: Settings = {}, now: () => number = () => 0) =>
  defineMcpTools({ url: server.url, ...settings }, { now });
const agentWith = (...tool_sources: ReturnType<typeof defineMcpTools>[]) => anAgent({ tool_sources });
const call = async (name: string, settings: Settings = {}) => {
  const { outcome } = await runAgent(`[[tool:${name} {}]]`, { agent: agentWith(source(settings)) });
  return outcome.output.tools?.at(-1);
};

describe("the version of a server", () => {
  test("is 2026-07-28 where it knows that, without a connection; and the one before where it does not", async () => {
    expect(await call("add")).toMatchObject({ result: "did add" });
    expect(server.methods()).toEqual(["server/discover", "tools/list", "tools/call add"]);
    expect(server.state.seen.at(-1)?.headers).toMatchObject({
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "add",
    });
    const ofOld = defineMcpTools({ url: old.url });
    const { outcome } = await runAgent('[[tool:math_add {"a":2,"b":3}]]', { agent: agentWith(ofOld) });
    expect(outcome.output.content).toBe("5");
    expect((await old.seen()).sessions).toBe(1);
  });

  test("is the new one where it knows no other", async () => {
    server.state.speaks = "new";
    expect(await call("add")).toMatchObject({ result: "did add" });
  });

  test("is asked for once an hour", async () => {
    let nowMs = 0;
    server.state.speaks = "old";
    const of = source({}, () => nowMs);
    const probes = async (user: string) => {
      await listOf(of, user);
      return server.methods().filter((method) => method === "server/discover").length;
    };
    expect(await probes("maria")).toBe(1);
    nowMs += 3600_000 - 1;
    expect(await probes("jonas")).toBe(1);
    nowMs += 1;
    expect(await probes("ida")).toBe(2);
  });

  test.each([401, 403, 500, 503])("is not decided by an answer with %d", async (status) => {
    server.state.refuses = status;
    const of = source();
    await expect(listOf(of)).rejects.toThrow();
    expect(server.methods()).toEqual(["server/discover"]);
    server.state.refuses = undefined;
    await listOf(of);
    expect(server.methods()).toEqual(["server/discover", "server/discover", "tools/list"]);
  });

  test("is decided anew where the server does not know it any more", async () => {
    const of = source();
    await listOf(of);
    // As after a roll-back: what is there knows older versions alone.
    server.state.speaks = "old";
    await listOf(of, "jonas");
    expect(server.methods().slice(2)).toEqual([
      ...["server/discover", "server/discover"],
      ...["initialize", "notifications/initialized", "tools/list"],
    ]);
  });
});

describe("a list of tools", () => {
  test.each([
    ["for as long as its server says", 60_000, 60_000],
    ["for a day at most", 7 * 24 * 3600_000, 24 * 3600_000],
  ])("is kept %s", async (_, ttlMs, keptMs) => {
    let nowMs = 0;
    server.state.ttlMs = ttlMs;
    const of = source({}, () => nowMs);
    const lists = () => server.methods().filter((method) => method === "tools/list").length;
    await listOf(of);
    nowMs += keptMs - 1;
    await listOf(of);
    expect(lists()).toBe(1);
    nowMs += 1;
    await listOf(of);
    expect(lists()).toBe(2);
  });

  test("is read once more where the server does not know a tool that is in it", async () => {
    server.state.ttlMs = 60_000;
    server.state.gone.add("add");
    expect(await call("add")).toMatchObject({ tool_call_error: true });
    const calls = server.methods().filter((method) => /tools/.test(method));
    expect(calls).toEqual(["tools/list", "tools/call add", "tools/list", "tools/call add"]);
  });
});

describe("two sources with one name of a tool", () => {
  const named = (name: string, settings: Settings = {}) => source({ name, include: ["add"], ...settings });

  test("fail the run, which names both", async () => {
    const { outcome } = await runAgent("Hello", { agent: agentWith(named("bank"), named("crm")) });
    expect(outcome.status).toBe("ERROR");
    expect(outcome.output.content).toMatch(
      /two tools named add: one of the MCP server bank, one of the MCP server crm/,
    );
  });

  test("differ by the name of the one that asks for it", async () => {
    const agent = agentWith(named("bank"), named("crm", { on_collision: "prefix" }));
    const { outcome } = await runAgent("[[tool:crm_add {}]]", { agent });
    expect(outcome.output.tools).toMatchObject([{ tool_name: "crm_add", result: "did add" }]);
    const alone = await runAgent("[[tool:add {}]]", {
      agent: agentWith(named("crm", { on_collision: "prefix" })),
    });
    expect(alone.outcome.output.tools).toMatchObject([{ tool_name: "add", result: "did add" }]);
  });

  test("need a name for that", () => {
    expect(() => defineMcpTools({ url: server.url, on_collision: "prefix" })).toThrow(/give it a name/);
  });
});

describe("what a server says about the effect of its tools", () => {
  const effects = async (settings: Settings = {}) => {
    const tools = await listOf(source({ include: ["add", "ask", "wipe"], ...settings }));
    return tools.map(({ effect, requires_confirmation = false }) => [effect, requires_confirmation]);
  };

  test("counts, but for what destroys something: that is never called twice", async () => {
    expect(await effects()).toEqual([
      ["safe", false],
      ["once", false],
      ["once", false],
    ]);
  });

  test("does not count where the server is not trusted", async () => {
    expect(await effects({ trust_annotations: false })).toEqual([
      ["once", false],
      ["once", false],
      ["once", false],
    ]);
  });

  test("decides what a person confirms, where that is what may destroy something", async () => {
    const destructive = { requires_confirmation: "destructive" } as const;
    expect(await effects(destructive)).toEqual([
      ["safe", false],
      ["once", true],
      ["once", true],
    ]);
    const untrusted = await effects({ ...destructive, trust_annotations: false });
    expect(untrusted.map(([, confirmed]) => confirmed)).toEqual([true, true, true]);
  });
});

describe("the result of a tool", () => {
  test("of 5 MB is kept beside the prompt, also of an agent that wants to be shown everything", async () => {
    const kept = new Map<string, string>();
    const results = {
      put: async (id: string, text: string) => kept.set(id, text).size > 0,
      get: async (id: string) => kept.get(id),
    };
    const agent = { ...agentWith(source()), offload_tool_results: false };
    const { outcome } = await runAgent("[[tool:big {}]]", { agent, results });
    const [shown] = outcome.output.tools ?? [];
    expect(shown?.result?.length).toBeLessThan(2_000);
    expect(shown?.stored_result).toMatchObject({ chars: 5_000_000, stored: true });
    const smaller = await runAgent("[[tool:add {}]]", { agent, results });
    expect(smaller.outcome.output.tools?.[0]).not.toHaveProperty("stored_result");
  });

  test("is an error where it breaks what the server has declared", async () => {
    expect(await call("typed")).toMatchObject({ result: "typed", tool_call_error: false });
    server.state.structured = { celsius: "warm" };
    const broken = await call("typed");
    expect(broken).toMatchObject({
      tool_call_error: true,
      result: expect.stringMatching(/declared.*celsius/),
    });
    server.state.structured = undefined;
    expect(await call("typed")).toMatchObject({ tool_call_error: true });
  });

  test("is checked without a request where its schema refers to another document", async () => {
    const asked: string[] = [];
    const fetched = globalThis.fetch;
    globalThis.fetch = (url, init) => {
      asked.push(new URL(url instanceof Request ? url.url : url).host);
      return fetched(url, init);
    };
    try {
      expect(await call("linked")).toMatchObject({ result: "typed", tool_call_error: false });
    } finally {
      globalThis.fetch = fetched;
    }
    expect([...new Set(asked)]).toEqual([new URL(server.url).host]);
  });
});
