import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import { ProtocolError } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { taskIdOf } from "../../functions/runs/mcp/tasks.ts";
import { eventsKey } from "../../shared/stores/runs/run-keys.ts";
import { BY_ITSELF, mcpWorld } from "../support/mcp-in-process.ts";
import { startStores, type TestStores } from "../support/stores.ts";

/** Version 2026-07-28 of the protocol, by the official client of the second generation. */
let stores: TestStores;
let world: ReturnType<typeof mcpWorld>;
beforeAll(async () => {
  stores = await startStores();
  world = mcpWorld(stores.db);
});
afterAll(() => stores.stop());

const send = (asked: Parameters<typeof world.ask>[1]) => world.ask("maria", asked);

const refund = (order: string) => ({
  name: "run_agent",
  arguments: {
    agent_id: "refund-desk",
    message: `[[tool:issue_refund {"order_id":"${order}","amount":5}]]`,
  },
});

describe("a request", () => {
  test("is answered without a connection before it: tools are listed, and an agent is run", async () => {
    const client = await world.connect("maria");
    expect(client.getNegotiatedProtocolVersion()).toBe(BY_ITSELF);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("run_agent");
    const ran = await client.callTool({
      name: "run_agent",
      arguments: { agent_id: "assistant", message: "hello" },
    });
    expect(ran.structuredContent).toMatchObject({
      status: "COMPLETED",
      content: expect.stringContaining("hello"),
    });
  });

  test("says how long its answer may be kept, by its client alone; the order of tools stays", async () => {
    const [one, other] = [await send({ method: "tools/list" }), await send({ method: "tools/list" })];
    expect(one.json.result).toMatchObject({ resultType: "complete", ttlMs: 5_000, cacheScope: "private" });
    expect(other.json.result.tools).toEqual(one.json.result.tools);
    const elsewhere = await mcpWorld(stores.db).ask("maria", { method: "tools/list" });
    expect(elsewhere.json.result).toEqual(one.json.result);
    expect((await send({ method: "server/discover" })).json.result).toMatchObject({
      ...{ supportedVersions: [BY_ITSELF], ttlMs: 60_000, cacheScope: "private" },
    });
    const reader = mcpWorld(stores.db, {}, ["agents:run", "sessions:read"]);
    const client = await reader.connect("maria");
    const { structuredContent } = await client.callTool({
      name: "run_agent",
      arguments: { agent_id: "assistant", message: "hello" },
    });
    const uri = `session://${Object(structuredContent).session_id}`;
    const read = await reader.ask("maria", { method: "resources/read", params: { uri } });
    expect(read.json.result).toMatchObject({ contents: [{ uri }], ttlMs: 0, cacheScope: "private" });
    for (const [method, ttlMs] of [
      ["resources/list", 5_000],
      ["resources/templates/list", 60_000],
    ] as const)
      expect((await reader.ask("maria", { method })).json.result).toMatchObject({
        ...{ resultType: "complete", ttlMs, cacheScope: "private" },
      });
  });

  test.each([
    ["without what it says of itself", { method: "tools/list", params: { _meta: {} } }, 400, -32_602],
    [
      "whose header names another method",
      { method: "tools/list", headers: { "mcp-method": "tools/call" } },
      400,
      -32_020,
    ],
    [
      "of a version that is not there",
      {
        method: "tools/list",
        params: {
          _meta: {
            "io.modelcontextprotocol/protocolVersion": "2031-01-01",
            "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
            "io.modelcontextprotocol/clientCapabilities": {},
          },
        },
        headers: { "mcp-protocol-version": "2031-01-01" },
      },
      400,
      -32_022,
    ],
    ["for an unknown method", { method: "no/such" }, 404, -32_601],
    [
      "for a resource that is not there",
      {
        method: "resources/read",
        params: { uri: "session://none" },
      },
      200,
      -32_602,
    ],
  ])("%s is refused", async (_name, sent, status, code) => {
    const answer = await send(sent);
    expect([answer.status, answer.json?.error?.code], answer.text).toEqual([status, code]);
  });

  test("that subscribes is acknowledged, and its stream ends within a second", async () => {
    const startedAt = performance.now();
    const { status, text } = await send({
      method: "subscriptions/listen",
      params: { notifications: { toolsListChanged: true } },
    });
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    expect(status).toBe(200);
    expect(text).toContain("notifications/subscriptions/acknowledged");
  });
});

describe("what a run waits for", () => {
  const approving = (answers: readonly object[], asked: unknown[] = []) => ({
    options: { capabilities: { elicitation: { form: {} } } },
    handle: async ({ params }: { readonly params: unknown }) => {
      asked.push(params);
      return answers[Math.min(asked.length, answers.length) - 1] as never;
    },
  });

  test("is asked of the person behind the client within the call, and the run goes on once", async () => {
    const asked: unknown[] = [];
    const { options, handle } = approving(
      [{ action: "accept", content: { approve: true, note: "ok" } }],
      asked,
    );
    const client = await world.connect("maria", options);
    client.setRequestHandler("elicitation/create", handle);
    const { structuredContent: ended } = await client.callTool(refund("o-1"));
    expect(ended).toMatchObject({ status: "COMPLETED", content: expect.stringContaining("Refunded 5") });
    expect(asked).toEqual([
      expect.objectContaining({
        message: expect.stringContaining("issue_refund"),
        requestedSchema: expect.objectContaining({ required: ["approve"] }),
      }),
    ]);
  });

  test.each([
    ["a refusal ends the call that waited", { action: "decline" }, { status: "COMPLETED" }],
    [
      "so does a form that says no",
      { action: "accept", content: { approve: false } },
      { status: "COMPLETED" },
    ],
    [
      "what is put off stays",
      { action: "cancel" },
      { status: "PAUSED", waits_for: [{ reason: "confirmation" }] },
    ],
  ])("%s", async (_name, answer, expected) => {
    const { options, handle } = approving([answer]);
    const client = await world.connect("maria", options);
    client.setRequestHandler("elicitation/create", handle);
    const { structuredContent: run } = await client.callTool(refund("o-2"));
    expect(run).toMatchObject(expected);
    expect(JSON.stringify(run)).not.toContain("Refunded 5");
  });

  test("is one of the results of a tool where the client cannot ask", async () => {
    const client = await world.connect("maria");
    expect((await client.callTool(refund("o-3"))).structuredContent).toMatchObject({
      status: "PAUSED",
      waits_for: [{ reason: "confirmation" }],
    });
  });

  test("is asked as a form of the values that it wants", async () => {
    const asked: unknown[] = [];
    const { options, handle } = approving(
      [{ action: "accept", content: { guests: 2, time: "19:30" } }],
      asked,
    );
    const client = await world.connect("maria", options);
    client.setRequestHandler("elicitation/create", handle);
    const { structuredContent: ended } = await client.callTool({
      name: "run_agent",
      arguments: { agent_id: "front-desk", message: '[[tool:book_table {"restaurant":"Roma"}]]' },
    });
    expect(ended).toMatchObject({ content: expect.stringContaining("Booked Roma for 2 at 19:30.") });
    expect(asked).toHaveLength(1);
  });

  const choices = JSON.stringify({
    questions: [
      {
        question: "Which one?",
        header: "One",
        options: [{ label: "A" }, { label: "B" }],
        multi_select: true,
      },
    ],
  });
  test.each([
    [
      "is answered in the console where the answer is no flat form",
      "front-desk",
      `ask_user ${choices}`,
      "user_feedback",
      "url",
    ],
    [
      "is for an approver, and asked of none but approvers",
      "account-desk",
      'close_account {"account":"K-1"}',
      "approval",
      undefined,
    ],
  ])("%s", async (_name, agent_id, called, reason, mode) => {
    const params = { name: "run_agent", arguments: { agent_id, message: `[[tool:${called}]]` } };
    const call = (elicitation: object) =>
      world.ask("maria", { method: "tools/call", params, capabilities: { elicitation } });
    const { result } = (await call({ form: {}, url: {} })).json;
    const paused = { status: "PAUSED", waits_for: [{ id: expect.any(String), reason }] };
    if (mode === undefined) expect(result.structuredContent).toMatchObject(paused);
    else
      expect(Object.values(result.inputRequests)).toEqual([
        expect.objectContaining({
          params: expect.objectContaining({ mode, url: "http://mcp.example/console" }),
        }),
      ]);
    expect((await call({ form: {} })).json.result.structuredContent).toMatchObject(paused);
  });

  test("is for an approver, and goes on by no answer of who has run it", async () => {
    const extensions = { "io.modelcontextprotocol/tasks": {} };
    const ask = async (method: string, params: Record<string, unknown>) =>
      (await world.ask("maria", { method, params, capabilities: { extensions, elicitation: { form: {} } } }))
        .json;
    const agent_id = "account-desk";
    const message = '[[tool:close_account {"account":"K-2"}]]';
    const { result } = await ask("tools/call", { name: "run_agent", arguments: { agent_id, message } });
    const { run_id, session_id, waits_for } = result.structuredContent;
    const [{ id }] = waits_for;
    const named = { component_type: "agent", component_id: agent_id, run_id, session_id } as const;
    const yes = { confirmed: true };
    const continued = await ask("tools/call", {
      name: "continue_run",
      arguments: { ...named, answers: [{ id, answer: yes }] },
    });
    expect(continued.result.isError).toBe(true);
    expect(continued.result.content[0].text).toContain("must be resolved by an admin");
    // It is not among the questions of the task, so it is an unknown key.
    const inputResponses = { [id]: { action: "accept", content: yes } };
    const updated = await ask("tasks/update", { taskId: taskIdOf(named), inputResponses });
    expect(updated.result).toMatchObject({ resultType: "complete" });
    expect((await world.run({ run_id, session_id }))?.status).toBe("PAUSED");
  });

  /** A call that answers with a question, as the wire has it. */
  const asked = async (order: string) => {
    const capabilities = { elicitation: { form: {} } };
    const call = async (user: string, more: object = {}, args: object = refund(order).arguments) => {
      const params = { name: "run_agent", arguments: args, ...more };
      return (await world.ask(user, { method: "tools/call", params, capabilities })).json;
    };
    const { result } = await call("maria");
    expect(result).toMatchObject({ resultType: "input_required", requestState: expect.any(String) });
    const [id = ""] = Object.keys(result.inputRequests);
    const yes = { [id]: { action: "accept", content: { approve: true } } };
    const named = JSON.parse(Buffer.from(result.requestState, "base64url").toString());
    return { call, state: result.requestState as string, yes, named };
  };

  test("goes on once where two answers come at once", async () => {
    const { call, state, yes, named } = await asked("o-4");
    const retry = () => call("maria", { requestState: state, inputResponses: yes });
    const answers = await Promise.all([retry(), retry()]);
    const statuses = answers.map(({ result }) => result.structuredContent.status);
    expect(statuses).toContain("COMPLETED");
    const run = await world.run(named);
    const { Items: calls } = await stores.db.client.send(
      new QueryCommand({
        TableName: stores.db.tables.runs,
        KeyConditionExpression: "pk = :pk AND begins_with(sk, :tool)",
        ExpressionAttributeValues: { ":pk": eventsKey(named.run_id), ":tool": "tool#" },
      }),
    );
    expect(calls).toEqual([expect.objectContaining({ starts: 1, answer: expect.any(Uint8Array) })]);
    expect(run?.output.tools).toEqual([
      expect.objectContaining({ tool_name: "issue_refund", result: "Refunded 5 for order o-4." }),
    ]);
    expect(run?.output.messages?.filter(({ role }) => role === "tool")).toHaveLength(1);
    // The answered round gives the run as it is now, and begins nothing.
    expect((await retry()).result.structuredContent).toMatchObject({
      run_id: named.run_id,
      status: "COMPLETED",
    });
  });

  test("is answered by who may run the agent, and not read it", async () => {
    const runs = mcpWorld(stores.db, {}, ["agents:run"]);
    const client = await runs.connect("maria", { capabilities: { elicitation: { form: {} } } });
    const yes = { action: "accept", content: { approve: true } } as const;
    client.setRequestHandler("elicitation/create", async () => yes);
    const { structuredContent } = await client.callTool(refund("o-8"));
    expect(structuredContent).toMatchObject({ status: "COMPLETED" });
  });

  test("is asked again for what an answer lacks; unknown keys do nothing", async () => {
    const { call, state } = await asked("o-5");
    const again = await call("maria", {
      requestState: state,
      inputResponses: { other: { action: "accept" } },
    });
    expect(again.result).toMatchObject({ resultType: "input_required" });
  });

  test("is answered by its user alone, for no other call, with no other state, and not after a day", async () => {
    const { call, state, yes, named } = await asked("o-6");
    const answer = { requestState: state, inputResponses: yes };
    const changed = Buffer.from(
      JSON.stringify({ ...named, given: [{ id: "other", refuse: false }] }),
    ).toString("base64url");
    const others = [
      await call("otto", answer),
      await call("maria", answer, refund("o-7").arguments),
      await call("maria", { ...answer, requestState: changed }),
      await call("maria", { ...answer, requestState: "nonsense" }),
    ];
    for (const { error } of others) expect(error).toMatchObject({ code: -32_602 });
    world.clock.advance(86_400_000);
    expect((await call("maria", answer)).error).toMatchObject({ code: -32_602 });
    expect(await world.run(named)).toMatchObject({ status: "PAUSED" });
  });
});

test("a tool that is not there is an error of the call", async () => {
  const client = await world.connect("maria");
  await expect(client.callTool({ name: "no_such", arguments: {} })).rejects.toThrow(ProtocolError);
});
