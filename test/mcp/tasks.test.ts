import { afterAll, beforeAll, expect, test } from "vitest";
import { watchedModel } from "../engine/support/watched-model.ts";
import { breakingDb } from "../support/breaking-db.ts";
import { mcpWorld } from "../support/mcp-in-process.ts";
import { startStores, type TestStores } from "../support/stores.ts";

/** Runs in the background as tasks: an extension of version 2026-07-28 of the protocol. */
let stores: TestStores;
let world: ReturnType<typeof mcpWorld>;
beforeAll(async () => {
  stores = await startStores();
  world = mcpWorld(stores.db);
});
afterAll(() => stores.stop());

const capabilities = { extensions: { "io.modelcontextprotocol/tasks": {} }, elicitation: { form: {} } };
const ask = async (method: string, params: Record<string, unknown>, user = "maria") =>
  (await world.ask(user, { method, params, capabilities })).json;
const get = async (taskId: string) => (await ask("tasks/get", { taskId })).result;

/** Begins a run in the background. @returns the id of its task */
async function begun(agent_id: string, message: string): Promise<string> {
  const { result } = await ask("tools/call", {
    name: "run_agent",
    arguments: { agent_id, message, background: true },
  });
  expect(result).toMatchObject({ resultType: "task", status: "working", ttlMs: null, pollIntervalMs: 2_000 });
  return result.taskId;
}

test("a run in the background is a task, which another process completes", async () => {
  const taskId = await begun("assistant", "hello");
  expect(await get(taskId)).toMatchObject({ resultType: "complete", taskId, status: "working" });
  await world.deliverAll();
  const other = mcpWorld(stores.db);
  const { json } = await other.ask("maria", { method: "tasks/get", params: { taskId }, capabilities });
  expect(json.result).toMatchObject({
    status: "completed",
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    result: { structuredContent: { status: "COMPLETED", content: expect.stringContaining("hello") } },
  });
});

test("a client that knows no tasks is answered as before", async () => {
  const params = {
    name: "run_agent",
    arguments: { agent_id: "assistant", message: "hello", background: true },
  };
  const { json } = await world.ask("maria", { method: "tools/call", params });
  expect(json.result.structuredContent).toMatchObject({ status: "PENDING", hint: expect.any(String) });
});

test("a run that failed is completed with an error of the call; one that is cancelled is cancelled, however often", async () => {
  const failing = await begun("assistant", "[[fail:no luck]]");
  await world.deliverAll();
  expect(await get(failing)).toMatchObject({ status: "completed", result: { isError: true } });
  const taskId = await begun("assistant", "hello");
  for (const _ of ["once", "twice"])
    expect((await ask("tasks/cancel", { taskId })).result).toEqual(
      expect.objectContaining({ resultType: "complete" }),
    );
  expect(await get(taskId)).toMatchObject({ status: "cancelled" });
  // What has ended stays as it ended.
  await ask("tasks/cancel", { taskId: failing });
  expect(await get(failing)).toMatchObject({ status: "completed" });
});

test("what the run waits for is asked of the person; an answer counts once, and an unknown one not at all", async () => {
  const taskId = await begun("refund-desk", '[[tool:issue_refund {"order_id":"o-1","amount":5}]]');
  await world.deliverAll();
  const paused = await get(taskId);
  expect(paused.status).toBe("input_required");
  const [id = ""] = Object.keys(paused.inputRequests);
  const yes = { action: "accept", content: { approve: true } };
  const update = (inputResponses: object) => ask("tasks/update", { taskId, inputResponses });
  expect((await update({ unknown: yes })).result).toMatchObject({ resultType: "complete" });
  expect(await get(taskId)).toEqual(paused);
  await Promise.all([update({ [id]: yes }), update({ [id]: yes })]);
  await world.deliverAll();
  const ended = await get(taskId);
  expect(ended).toMatchObject({
    status: "completed",
    result: { structuredContent: { status: "COMPLETED" } },
  });
  expect(ended.result.structuredContent.content).toContain("Refunded 5");
  // It goes on no more.
  await update({ [id]: { action: "decline" } });
  expect(await world.deliverAll()).toBe(0);
  expect(await get(taskId)).toEqual(ended);
});

test("an answer that does not fit is refused, and its question is asked again", async () => {
  const taskId = await begun("front-desk", '[[tool:book_table {"restaurant":"Roma"}]]');
  await world.deliverAll();
  const paused = await get(taskId);
  const [id = ""] = Object.keys(paused.inputRequests);
  const update = (content: object) =>
    ask("tasks/update", { taskId, inputResponses: { [id]: { action: "accept", content } } });
  expect((await update({ guests: "many", time: 7 })).error).toMatchObject({
    ...{ code: -32_602, message: expect.stringContaining("guests") },
  });
  expect(await get(taskId)).toEqual(paused);
  await update({ guests: 2, time: "19:30" });
  await world.deliverAll();
  expect(await get(taskId)).toMatchObject({
    ...{ status: "completed", result: { structuredContent: { status: "COMPLETED" } } },
  });
});

test("of several questions one may be answered at a time: the run goes on when all are", async () => {
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } } as never;
  const calls = ["o-3", "o-4"].map((order_id) => ({
    type: "tool-call" as const,
    toolCallId: order_id,
    toolName: "issue_refund",
    input: JSON.stringify({ order_id, amount: 5 }),
  }));
  const finish = (unified: "tool-calls" | "stop") =>
    ({ type: "finish", usage, finishReason: { unified, raw: unified } }) as const;
  const { models, prompts } = watchedModel(() =>
    prompts.length > 1 ? [finish("stop")] : [...calls, finish("tool-calls")],
  );
  const { ask: send, deliverAll } = mcpWorld(stores.db, {}, undefined, models);
  const of = async (method: string, params: object) =>
    (await send("maria", { method, params: { ...params }, capabilities })).json.result;
  const run = { agent_id: "refund-desk", message: "both", background: true };
  const { taskId } = await of("tools/call", { name: "run_agent", arguments: run });
  await deliverAll();
  const open = async () => Object.keys((await of("tasks/get", { taskId })).inputRequests ?? {});
  const [first = "", second = "", ...more] = await open();
  expect([second, more]).toEqual([expect.stringMatching(/./), []]);
  const answer = (id: string) => {
    const inputResponses = { [id]: { action: "accept", content: { approve: true } } };
    return of("tasks/update", { taskId, inputResponses });
  };
  await answer(first);
  expect(await deliverAll()).toBe(0);
  expect(await open()).toEqual([second]);
  // The same answer again answers nothing more.
  await answer(first);
  expect(await open()).toEqual([second]);
  await answer(second);
  expect(await deliverAll()).toBe(1);
  expect(await open()).toEqual([]);
  const results = prompts.at(-1)?.filter(({ role }) => role === "tool");
  expect(JSON.stringify(results)).toMatch(/Refunded 5.*o-3.*Refunded 5.*o-4/s);
});

test("where the client cannot ask its user, a task that waits says so, and can be answered in another way", async () => {
  const taskId = await begun("refund-desk", '[[tool:issue_refund {"order_id":"o-2","amount":5}]]');
  await world.deliverAll();
  const cannotAsk = { extensions: capabilities.extensions };
  const params = { taskId };
  const { json } = await world.ask("maria", { method: "tasks/get", params, capabilities: cannotAsk });
  expect(json.result).toMatchObject({
    status: "working",
    statusMessage: "May issue_refund be carried out?",
  });
});

test("a client that does not say that it knows tasks is refused them, whether there is one or not", async () => {
  const taskId = await begun("assistant", "hello");
  for (const method of ["tasks/get", "tasks/cancel", "tasks/update"])
    for (const params of [{ taskId }, { taskId: "none" }]) {
      const { json, status } = await world.ask("maria", { method, params });
      expect([status, json.error], method).toEqual([
        400,
        expect.objectContaining({
          code: -32_021,
          data: { requiredCapabilities: { extensions: { "io.modelcontextprotocol/tasks": {} } } },
        }),
      ]);
    }
  await world.deliverAll();
  expect(await get(taskId)).toMatchObject({ status: "completed" });
});

test("a task of another user, and what is none, is not there", async () => {
  const taskId = await begun("assistant", "hello");
  for (const method of ["tasks/get", "tasks/cancel", "tasks/update"]) {
    const given = { taskId, inputResponses: {} };
    expect((await ask(method, given, "otto")).error, method).toMatchObject({ code: -32_602 });
    expect((await ask(method, { ...given, taskId: "run_nonsense" })).error).toMatchObject({ code: -32_602 });
  }
  await world.deliverAll();
  expect(await get(taskId)).toMatchObject({ status: "completed" });
});

test("what fails behind the server is kept from the client", async () => {
  const taskId = await begun("assistant", "hello");
  const { db } = breakingDb(stores.db, 1, "before", /Get|Query/);
  const dying = mcpWorld(db, {}, ["agents:run", "sessions:read"]);
  for (const [method, params] of [
    ["tasks/get", { taskId }],
    ["resources/list", {}],
    ["resources/read", { uri: "session://one" }],
  ] as const) {
    const { json } = await dying.ask("maria", { method, params, capabilities });
    expect(json.error, method).toMatchObject({ code: -32_603, message: "Internal server error" });
  }
  await world.deliverAll();
});

test("a task is read with the right to run its component, and with no less", async () => {
  const taskId = await begun("assistant", "hello");
  const readWith = async (scope: string) =>
    (
      await mcpWorld(stores.db, {}, [scope]).ask("maria", {
        method: "tasks/get",
        params: { taskId },
        capabilities,
      })
    ).json;
  expect((await readWith("agents:run")).result).toMatchObject({ taskId, status: "working" });
  const refused = await readWith("teams:run");
  expect([refused.result, refused.error?.code]).toEqual([undefined, expect.any(Number)]);
});
