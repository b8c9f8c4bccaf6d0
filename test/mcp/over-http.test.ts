import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect } from "vitest";
import { clientOf } from "../support/client.ts";
import { callTool, mcpClient } from "../support/mcp-world.ts";
import type { RunningPlatform } from "../support/platform.ts";
import { test } from "../support/shared-platform.ts";

let platform: RunningPlatform;
test.beforeAll(({ platform: shared }) => {
  platform = shared;
});

const names = (listed: { readonly tools: readonly { readonly name: string }[] }) =>
  listed.tools.map(({ name }) => name);

describe("the tools", () => {
  test("are those that the credential may use; what is not listed cannot be called", async () => {
    const all = names(await (await mcpClient(platform, "maria")).listTools());
    expect(all).toEqual([
      ...["run_agent", "run_team", "run_workflow", "get_run", "continue_run", "send_message", "cancel_run"],
      ...["list_agents", "list_teams", "list_workflows", "list_sessions", "search_knowledge"],
    ]);
    const reader = await mcpClient(platform, "maria", ["agents:read"]);
    expect(names(await reader.listTools())).toEqual(["list_agents"]);
    await expect(reader.callTool({ name: "run_agent", arguments: {} })).rejects.toThrow(/no tool run_agent/);
    const nothing = await mcpClient(platform, "maria", ["knowledge:read"]);
    await expect(nothing.listResources()).rejects.toThrow();
  });

  test("have schemas of what they take and give, which the client validates", async () => {
    const { tools } = await (await mcpClient(platform, "maria")).listTools();
    expect(tools[0]).toMatchObject({
      inputSchema: { type: "object", required: ["agent_id", "message"] },
      outputSchema: { type: "object", required: ["run_id", "session_id", "status"] },
      annotations: { readOnlyHint: false },
    });
  });

  test("refuse a component that the scopes do not name", async () => {
    const client = await mcpClient(platform, "maria", ["agents:assistant:run"]);
    const refused = await callTool(client, "run_agent", { agent_id: "refund-desk", message: "hello" });
    expect(refused.isError).toBe(true);
    expect(refused.content[0].text).toContain("agents:refund-desk:run");
    const ran = await callTool(client, "run_agent", { agent_id: "assistant", message: "hello" });
    expect(ran.structuredContent).toMatchObject({
      status: "COMPLETED",
      content: expect.stringContaining("hello"),
    });
  });
});

describe("a run", () => {
  test("is run, listed and read; another user sees none of it", async () => {
    const client = await mcpClient(platform, "mcp-maria");
    const { structuredContent: ran } = await callTool(client, "run_agent", {
      agent_id: "assistant",
      message: "a sentence of mine",
    });
    const named = {
      component_type: "agent",
      component_id: "assistant",
      run_id: ran.run_id,
      session_id: ran.session_id,
    };
    expect((await callTool(client, "get_run", named)).structuredContent).toEqual(ran);
    const { structuredContent: listed } = await callTool(client, "list_sessions", {});
    expect(listed.sessions.map(({ session_id }: { session_id: string }) => session_id)).toContain(
      ran.session_id,
    );
    const { resources } = await client.listResources();
    const uri = resources.find(({ uri: one }) => one.endsWith(ran.session_id))?.uri ?? "";
    const { contents } = await client.readResource({ uri });
    expect(JSON.stringify(contents)).toContain("a sentence of mine");
    const otto = await mcpClient(platform, "mcp-otto");
    expect((await callTool(otto, "get_run", named)).isError).toBe(true);
    const sessions = (await otto.listResources()).resources.filter((one) => one.uri.startsWith("session://"));
    expect(sessions).toEqual([]);
    await expect(otto.readResource({ uri })).rejects.toThrow(/not found/);

    // What an admin reads of another user is in the audit, with the tool and the ids.
    const admin = await mcpClient(platform, "mcp-admin", ["platform:admin"]);
    expect((await callTool(admin, "get_run", named)).isError).toBeFalsy();
    await admin.readResource({ uri });
    const { json } = await clientOf(platform.url, platform.adminToken).get("/audit?on_behalf_of=mcp-maria");
    const read = { principal: "mcp-admin", protocol: "mcp", outcome: "read" };
    expect(json.data).toHaveLength(2);
    expect(json.data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...read, target: { uri } }),
        expect.objectContaining({
          ...read,
          target: expect.objectContaining({ tool: "get_run", run_id: ran.run_id }),
        }),
      ]),
    );
  });

  test("of a team and of a workflow is run; progress says what it does", async () => {
    const client = await mcpClient(platform, "maria");
    const team = await callTool(client, "run_team", { team_id: "support-team", message: "hello" });
    expect(team.structuredContent.status).toBe("COMPLETED");
    const progress: (string | undefined)[] = [];
    const ran = await client.callTool(
      { name: "run_workflow", arguments: { workflow_id: "publish-report", message: "sea level" } },
      undefined,
      { onprogress: ({ message }) => progress.push(message) },
    );
    expect(ran.structuredContent).toMatchObject({ status: expect.stringMatching(/COMPLETED|PAUSED/) });
    expect(progress.join()).toContain("step");
  });

  test("that fails is an error of the call, with the run; reading it is none", async () => {
    const client = await mcpClient(platform, "maria");
    const failed = await callTool(client, "run_agent", {
      agent_id: "assistant",
      message: "[[fail:no luck]]",
    });
    expect(failed).toMatchObject({ isError: true, structuredContent: { status: "ERROR" } });
    expect(failed.structuredContent.content).toContain("no luck");
    const { run_id, session_id } = failed.structuredContent;
    const named = { component_type: "agent", component_id: "assistant", run_id, session_id };
    const read = await callTool(client, "get_run", named);
    expect([read.isError, read.structuredContent.status]).toEqual([undefined, "ERROR"]);
  });

  test("that pauses says what it waits for, and continues with the answers", async () => {
    const client = await mcpClient(platform, "maria");
    const message = '[[tool:issue_refund {"order_id":"o-1","amount":5}]]';
    const { structuredContent: paused } = await callTool(client, "run_agent", {
      agent_id: "refund-desk",
      message,
    });
    expect(paused).toMatchObject({ status: "PAUSED", waits_for: [{ reason: "confirmation" }] });
    const named = {
      component_type: "agent",
      component_id: "refund-desk",
      run_id: paused.run_id,
      session_id: paused.session_id,
    };
    const answers = [{ id: paused.waits_for[0].id, answer: { confirmed: true } }];
    // The model behind the client may have asked for the call itself.
    const confirmed = await callTool(client, "continue_run", { ...named, answers });
    expect([confirmed.isError, confirmed.content[0].text]).toEqual([
      true,
      expect.stringContaining("a person"),
    ]);
    const no = [{ id: paused.waits_for[0].id, refuse: true }];
    const { structuredContent: ended } = await callTool(client, "continue_run", { ...named, answers: no });
    expect(ended).toMatchObject({ run_id: paused.run_id, status: "COMPLETED" });
    expect(String(ended.content)).not.toContain("Refunded 5");
    expect((await callTool(client, "continue_run", { ...named, answers: no })).isError).toBe(true);
  });

  test("is confirmed by the person whom the client asks, and by no answer of the model", async () => {
    const asked: string[] = [];
    const replies = [
      { action: "decline" as const },
      { action: "accept" as const, content: { confirm: false } },
      { action: "accept" as const, content: { confirm: true } },
    ];
    const client = await mcpClient(platform, "mcp-asked", undefined, async (message) => {
      asked.push(message);
      return replies[asked.length - 1] ?? { action: "cancel" };
    });
    const { structuredContent: paused } = await callTool(client, "run_agent", {
      agent_id: "refund-desk",
      message: '[[tool:issue_refund {"order_id":"o-2","amount":7}]]',
    });
    const { run_id, session_id, waits_for } = paused;
    const named = { component_type: "agent", component_id: "refund-desk", run_id, session_id };
    const answers = [{ id: waits_for[0].id, answer: { confirmed: true } }];
    for (const _ of ["declined", "not confirmed"]) {
      const refused = await callTool(client, "continue_run", { ...named, answers });
      expect([refused.isError, refused.content[0].text]).toEqual([
        true,
        expect.stringContaining("has not confirmed"),
      ]);
    }
    const editedArgs = { order_id: "o-2", amount: 6 };
    const edited = [{ id: waits_for[0].id, answer: { confirmed: true, editedArgs } }];
    const { structuredContent: ended } = await callTool(client, "continue_run", {
      ...named,
      answers: edited,
    });
    expect(ended).toMatchObject({ status: "COMPLETED", content: expect.stringContaining("Refunded 6") });
    expect(asked).toHaveLength(3);
    expect(asked[0]).toMatch(/issue_refund \{.*"amount":7/);
    // The person is asked about what will be carried out.
    expect(asked[2]).toMatch(/issue_refund \{.*"amount":6/);
  });

  test("that asks for values continues with them", async () => {
    const client = await mcpClient(platform, "maria");
    const { structuredContent: paused } = await callTool(client, "run_agent", {
      agent_id: "front-desk",
      message: '[[tool:book_table {"restaurant":"Roma"}]]',
    });
    const { run_id, session_id, waits_for } = paused;
    const answers = [{ id: waits_for[0].id, answer: { guests: 2, time: "19:30" } }];
    const named = { component_type: "agent", component_id: "front-desk", run_id, session_id };
    const { structuredContent: ended } = await callTool(client, "continue_run", { ...named, answers });
    expect(String(ended.content)).toContain("Booked Roma for 2 at 19:30.");
  });

  test("in the background is accepted at once, and cancelled", async () => {
    const client = await mcpClient(platform, "maria");
    const { structuredContent: begun } = await callTool(client, "run_agent", {
      agent_id: "assistant",
      message: "[[sleep:20000]] long",
      background: true,
    });
    expect(begun).toMatchObject({ status: "PENDING", hint: expect.stringContaining("get_run") });
    const named = {
      component_type: "agent",
      component_id: "assistant",
      run_id: begun.run_id,
      session_id: begun.session_id,
    };
    // Said before the first call of the model, it is what the model answers: it takes as long.
    const note = { ...named, message: "[[sleep:20000]] the newer one", message_id: "note" };
    expect((await callTool(client, "send_message", note)).structuredContent).toMatchObject({
      message_id: "note",
      delivery: "steered",
    });
    await callTool(client, "cancel_run", named);
    await expect
      .poll(async () => (await callTool(client, "get_run", named)).structuredContent.status, {
        timeout: 10_000,
      })
      .toBe("CANCELLED");
  });

  test("ends when its call is cancelled, which another request sends", async () => {
    const client = await mcpClient(platform, "mcp-cancels");
    const stop = new AbortController();
    const calling = client.callTool(
      { name: "run_agent", arguments: { agent_id: "assistant", message: "[[sleep:30000]] long" } },
      undefined,
      { signal: stop.signal, onprogress: () => stop.abort("enough") },
    );
    await expect(calling).rejects.toThrow();
    const { structuredContent: listed } = await callTool(client, "list_sessions", {});
    const [{ session_id }] = listed.sessions;
    const maria = clientOf(platform.url, platform.token("mcp-cancels", ["agents:read", "agents:run"]));
    const statusNow = async () =>
      (await maria.get(`/agents/assistant/runs?session_id=${session_id}`)).json[0]?.status;
    await expect.poll(statusNow).toBe("CANCELLED");
  });

  test("that cannot be is refused as an error of the tool", async () => {
    const client = await mcpClient(platform, "maria");
    const unknown = await callTool(client, "run_agent", { agent_id: "unknown", message: "hello" });
    expect(unknown).toMatchObject({ isError: true });
    expect(unknown.content[0].text).toContain("NOT_FOUND");
    const bad = await callTool(client, "run_agent", { agent_id: "assistant" });
    expect(bad.content[0].text).toContain("message");
  });
});

describe("version 2026-07-28", () => {
  test("is served at the same address with the same tools: a run asks the person behind the client within its call", async () => {
    const client = new Client(
      { name: "test", version: "1" },
      { versionNegotiation: { mode: "auto" }, capabilities: { elicitation: { form: {} } } },
    );
    client.setRequestHandler("elicitation/create", async () => ({
      action: "accept",
      content: { approve: true },
    }));
    const token = platform.token("mcp-newest", ["agents:read", "agents:run"]);
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${platform.url}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${token}` } },
      }),
    );
    expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
    const before = await mcpClient(platform, "mcp-newest", ["agents:read", "agents:run"]);
    expect((await client.listTools()).tools).toEqual((await before.listTools()).tools);
    const { structuredContent } = await client.callTool({
      name: "run_agent",
      arguments: { agent_id: "refund-desk", message: '[[tool:issue_refund {"order_id":"o-9","amount":9}]]' },
    });
    expect(structuredContent).toMatchObject({
      status: "COMPLETED",
      content: expect.stringContaining("Refunded 9"),
    });
    await client.close();
  });
});

describe("the transport", () => {
  const post = (
    headers: Record<string, string>,
    json: unknown = { jsonrpc: "2.0", id: 1, method: "tools/list" },
  ) =>
    clientOf(platform.url, platform.token("maria", ["agents:read"])).post("/mcp", {
      json,
      headers: { accept: "application/json, text/event-stream", ...headers },
    });

  test("shows callers without a credential where tokens come from", async () => {
    const { status, headers } = await clientOf(platform.url).post("/mcp", { json: {} });
    expect(status).toBe(401);
    const address = `${platform.url}/.well-known/oauth-protected-resource/mcp`;
    expect(headers.get("www-authenticate")).toBe(`Bearer resource_metadata="${address}"`);
    const found = await clientOf(platform.url).get("/.well-known/oauth-protected-resource/mcp");
    expect(found.json).toMatchObject({
      resource: `${platform.url}/mcp`,
      authorization_servers: [platform.url],
      bearer_methods_supported: ["header"],
    });
    expect(found.headers.get("cache-control")).toContain("max-age");
    expect((await clientOf(platform.url).get("/.well-known/oauth-protected-resource")).json).toEqual(
      found.json,
    );
  });

  test("refuses pages of others, versions it does not know, and methods that need a session", async () => {
    expect((await post({ origin: "https://evil.example" })).status).toBe(403);
    expect((await post({ origin: "http://localhost:3000" })).status).toBe(200);
    expect((await post({ "mcp-protocol-version": "1999-01-01" })).status).toBe(400);
    expect((await post({ accept: "application/json" })).status).toBe(406);
    expect((await post({}, "not a call")).status).toBe(400);
    const maria = clientOf(platform.url, platform.token("maria", ["agents:read"]));
    expect((await maria.get("/mcp")).status).toBe(405);
    expect((await maria.call("DELETE", "/mcp")).status).toBe(405);
  });

  test("takes a notification, and answers an unknown method as JSON-RPC does", async () => {
    expect((await post({}, { jsonrpc: "2.0", method: "notifications/initialized" })).status).toBe(202);
    expect((await post({}, { jsonrpc: "2.0", id: 7, method: "no/such" })).json).toMatchObject({
      id: 7,
      error: { code: -32_601 },
    });
  });
});
