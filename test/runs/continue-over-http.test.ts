import { describe, expect } from "vitest";
import type { RunOutput } from "../../shared/schemas/runs/run.ts";
import { type Answer, type Client, clientOf, framesOf, orderOf } from "../support/client.ts";
import { confirmedOrder } from "../support/event-orders.ts";
import type { RunningPlatform } from "../support/platform.ts";
import { test } from "../support/shared-platform.ts";

let platform: RunningPlatform;
let maria: Client;
let otto: Client;
let admin: Client;
test.beforeAll(async ({ platform: shared }) => {
  platform = shared;
  const scopes = ["agents:read", "agents:run"];
  maria = clientOf(platform.url, platform.token("maria", scopes));
  otto = clientOf(platform.url, platform.token("otto", scopes));
  admin = clientOf(platform.url, platform.adminToken);
});

type Run = Pick<RunOutput, "run_id" | "session_id">;
type Form = Record<string, string>;

const start = async (agent: string, message: string, form: Form = {}): Promise<RunOutput> =>
  (await maria.post(`/agents/${agent}/runs`, { form: { message, stream: "false", ...form } })).json;
const refund = (form?: Form) =>
  start("refund-desk", '[[tool:issue_refund {"order_id":"o-1","amount":5}]]', form);
const pathOf = (agent: string, { run_id }: Pick<Run, "run_id">) => `/agents/${agent}/runs/${run_id}/continue`;
const goOn = (agent: string, run: Run, form: Form = {}, client = maria): Promise<Answer> =>
  client.post(pathOf(agent, run), { form: { session_id: run.session_id, stream: "false", ...form } });
/** The paused run's calls as the client was shown them, with its answers. */
const answers = ({ tools = [] }: RunOutput, answer: Record<string, unknown>) =>
  JSON.stringify(tools.map((call) => ({ ...call, ...answer })));
const poll = async (agent: string, { run_id, session_id }: Run): Promise<RunOutput> =>
  (await maria.get(`/agents/${agent}/runs/${run_id}?session_id=${session_id}`)).json;

describe("a paused run", () => {
  test("sends its pause last, with the calls and what is asked about them", async () => {
    const form = { message: '[[tool:issue_refund {"order_id":"o-1","amount":5}]]' };
    const frames = framesOf((await maria.post("/agents/refund-desk/runs", { form })).text);
    expect(orderOf(frames)).toEqual([
      "RunStarted",
      "ModelRequestStarted",
      "ModelRequestCompleted",
      "RunContentCompleted",
      "RunPaused",
    ]);
    expect(frames.at(-1)?.data).toMatchObject({
      tools: [{ tool_name: "issue_refund", requires_confirmation: true, confirmed: null, result: null }],
      requirements: [{ tool_execution: { tool_name: "issue_refund" } }],
    });
  });

  test("confirmed runs its tool and completes under its own id", async () => {
    const paused = await refund();
    expect(paused.status).toBe("PAUSED");
    const { status, json } = await goOn("refund-desk", paused, {
      tools: answers(paused, { confirmed: true }),
    });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      run_id: paused.run_id,
      status: "COMPLETED",
      content: "Refunded 5 for order o-1.",
      tools: [{ confirmed: true, result: "Refunded 5 for order o-1." }],
      requirements: [{ confirmation: true, tool_execution: { confirmed: true } }],
    });
    expect(json.metrics.input_tokens).toBeGreaterThan(paused.metrics?.input_tokens ?? 0);
    expect(await poll("refund-desk", paused)).toEqual(json);
  });

  test("continued as a stream sends RunContinued, the call and the answer", async () => {
    const paused = await refund();
    const form = { session_id: paused.session_id, tools: answers(paused, { confirmed: true }) };
    const frames = framesOf((await maria.post(pathOf("refund-desk", paused), { form })).text);
    expect(orderOf(frames)).toEqual(confirmedOrder);
  });

  test("rejected does not run its tool; the model reads the note", async () => {
    const paused = await refund();
    const rejection = { confirmed: false, confirmation_note: "not today" };
    const form = { session_id: paused.session_id, tools: answers(paused, rejection) };
    const frames = framesOf((await maria.post(pathOf("refund-desk", paused), { form })).text);
    expect(orderOf(frames).slice(0, 2)).toEqual(["RunContinued", "ModelRequestStarted"]);
    expect(frames.map(({ event }) => event)).not.toContain("ToolCallStarted");
    const ended = await poll("refund-desk", paused);
    expect(ended).toMatchObject({
      status: "COMPLETED",
      requirements: [{ confirmation: false, confirmation_note: "not today" }],
    });
    expect(ended.messages?.find(({ role }) => role === "tool")?.content).toContain("not today");
  });

  test("that waits for values runs its tool with them", async () => {
    const paused = await start("account-desk", '[[tool:file_complaint {"account":"K-7"}]]');
    expect(paused.tools).toMatchObject([{ requires_user_input: true, answered: false }]);
    expect((await goOn("account-desk", paused)).status).toBe(400);
    const empty = answers(paused, { answered: true });
    expect((await goOn("account-desk", paused, { tools: empty })).status).toBe(400);
    const filled = paused.tools?.[0]?.user_input_schema?.map((field) => ({
      ...field,
      value: field.value ?? "Loud.",
    }));
    const { json } = await goOn("account-desk", paused, {
      tools: answers(paused, { user_input_schema: filled, answered: true }),
    });
    expect(json).toMatchObject({ status: "COMPLETED", content: "Complaint of K-7: Loud." });
    expect(json.requirements[0].user_input_schema).toContainEqual(
      expect.objectContaining({ value: "Loud." }),
    );
  });

  test("that waits for another executor's result takes it without emitting a call", async () => {
    const paused = await start("account-desk", '[[tool:look_up_meter {"account":"K-7"}]]');
    expect(paused.tools).toMatchObject([{ external_execution_required: true, result: null }]);
    expect(await goOn("account-desk", paused)).toMatchObject({
      status: 400,
      json: { error_code: "BAD_REQUEST" },
    });
    expect((await poll("account-desk", paused)).status).toBe("PAUSED");
    const form = { session_id: paused.session_id, tools: answers(paused, { result: "0815" }) };
    const frames = framesOf((await maria.post(pathOf("account-desk", paused), { form })).text);
    expect(orderOf(frames).slice(0, 2)).toEqual(["RunContinued", "ModelRequestStarted"]);
    expect(await poll("account-desk", paused)).toMatchObject({
      status: "COMPLETED",
      content: "0815",
      requirements: [{ external_execution_result: "0815" }],
    });
  });

  test("takes a further word of the user's, behind the result", async () => {
    const paused = await refund();
    const tools = answers(paused, { confirmed: true });
    const { json } = await goOn("refund-desk", paused, { tools, input: "and thank you" });
    expect(json).toMatchObject({ status: "COMPLETED", content: "You said: and thank you" });
    expect(json.messages.map(({ role }: { role: string }) => role).slice(-4)).toEqual([
      "assistant",
      "tool",
      "user",
      "assistant",
    ]);
  });

  test("without an answer stays paused", async () => {
    const paused = await refund();
    expect(await goOn("refund-desk", paused)).toMatchObject({
      status: 400,
      json: { error_code: "BAD_REQUEST" },
    });
    expect(await poll("refund-desk", paused)).toEqual(paused);
  });

  test("may not be answered for another call than the one that waits", async () => {
    const paused = await refund();
    const attempts = [
      { confirmed: true, tool_call_id: "another" },
      { confirmed: true, tool_name: "get_time" },
      { confirmed: true, tool_args: { order_id: "o-1", amount: "much" } },
    ];
    for (const attempt of attempts) {
      const refused = await goOn("refund-desk", paused, { tools: answers(paused, attempt) });
      expect(refused).toMatchObject({ status: 400, json: { error_code: "BAD_REQUEST" } });
    }
    expect(await poll("refund-desk", paused)).toEqual(paused);
  });

  test("continued by two at once goes on once", async () => {
    const paused = await refund();
    const tools = answers(paused, { confirmed: true });
    const both = await Promise.all([
      goOn("refund-desk", paused, { tools }),
      goOn("refund-desk", paused, { tools }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test("that is cancelled is so at once, and cannot be continued", async () => {
    const paused = await refund();
    const cancel = `/agents/refund-desk/runs/${paused.run_id}/cancel?session_id=${paused.session_id}`;
    expect(await maria.post(cancel)).toMatchObject({ status: 200, text: "{}" });
    expect((await poll("refund-desk", paused)).status).toBe("CANCELLED");
    const tools = answers(paused, { confirmed: true });
    expect(await goOn("refund-desk", paused, { tools })).toMatchObject({
      status: 409,
      json: { error_code: "CONFLICT" },
    });
  });
});

describe("a completed run", () => {
  test("is continued as a new one that begins with its messages", async () => {
    const source = await start("assistant", "first");
    const { status, json } = await goOn("assistant", source, { input: "second" });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      forked_from_run_id: source.run_id,
      forked_from_message_index: source.messages?.length,
      session_id: source.session_id,
      status: "COMPLETED",
      content: "You said: second",
    });
    expect(json.run_id).not.toBe(source.run_id);
    expect(await poll("assistant", source)).toEqual(source);
  });

  test("may be forked from its last user message, or from any index", async () => {
    const source = await start("assistant", "hello");
    const again = (await goOn("assistant", source, { continue_from: "last_user" })).json;
    expect(again).toMatchObject({ content: "You said: hello", forked_from_run_id: source.run_id });
    const cut = (await goOn("assistant", source, { fork: "true", continue_from: "-1", input: "else" })).json;
    expect(cut).toMatchObject({
      content: "You said: else",
      forked_from_message_index: (source.messages?.length ?? 0) - 1,
    });
    expect((await goOn("assistant", source, { continue_from: "99" })).status).toBe(400);
  });

  test("regenerated is replaced, once the new answer is there", async () => {
    const source = await start("assistant", "hello");
    const { json } = await goOn("assistant", source, {
      regenerate: "true",
      additional_instructions: "shorter",
    });
    expect(json).toMatchObject({
      status: "COMPLETED",
      content: "You said: shorter",
      regenerated_from: source.run_id,
    });
    expect((await poll("assistant", source)).status).toBe("REGENERATED");
    expect((await goOn("assistant", source, { input: "x" })).status).toBe(409);
  });

  test("regenerated in vain, or beside the original, stays", async () => {
    const source = await start("assistant", "hello");
    const failed = await goOn("assistant", source, { regenerate: "true", input: "[[fail:boom]]" });
    expect(failed.json.status).toBe("ERROR");
    await goOn("assistant", source, { regenerate: "true", replace_original: "false" });
    expect((await poll("assistant", source)).status).toBe("COMPLETED");
  });
});

test("a failed run goes on under its own id, and does not repeat what broke off", async () => {
  const failed = await start("assistant", "[[fail:boom]]");
  expect(failed.status).toBe("ERROR");
  const { json } = await goOn("assistant", failed, { input: "better now" });
  expect(json).toMatchObject({ run_id: failed.run_id, status: "COMPLETED", content: "You said: better now" });
});

test("a run that is executed is not resumed a second time", async () => {
  const response = await maria.send("POST", "/agents/assistant/runs", {
    form: { message: "[[sleep:20000]]" },
  });
  const reader = response.body?.getReader();
  const run = framesOf(new TextDecoder().decode((await reader?.read())?.value))[0]?.data as Run;
  const refused = await goOn("assistant", run);
  expect(refused.status).toBe(409);
  expect(refused.headers.get("retry-after")).toBe("1");
  await reader?.cancel();
});

describe("a continuation is refused", () => {
  test.each([
    ["malformed answers", { tools: "[{" }],
    ["answers that are no list", { tools: "{}" }],
    ["answers that no item can hold", { tools: '[{"tool_call_id":"a","tool_args":{"n":1e300}}]' }],
    ["an answer without its call", { tools: "[{}]" }],
    ["an empty session", { session_id: "" }],
    ["an unknown place", { continue_from: "middle" }],
    ["regenerate with fork", { regenerate: "true", fork: "true" }],
    ["two inputs", { input: "a", additional_instructions: "b" }],
    ["replace_original without regenerate", { replace_original: "true" }],
  ])("with 400 for %s", async (_what, form: Form) => {
    const run = await start("assistant", "hello");
    expect(await goOn("assistant", run, form)).toMatchObject({
      status: 400,
      json: { error_code: "BAD_REQUEST" },
    });
  });

  test("with 404 for what is not there, or not the caller's", async () => {
    const run = await start("assistant", "hello");
    expect((await goOn("unknown", run)).status).toBe(404);
    expect((await goOn("refund-desk", run)).status).toBe(404);
    expect((await goOn("assistant", { ...run, run_id: "none" })).status).toBe(404);
    expect((await goOn("assistant", { ...run, session_id: "none" })).status).toBe(404);
    expect((await goOn("assistant", run, {}, otto)).status).toBe(404);
    expect((await goOn("assistant", run, { input: "x" }, admin)).status).toBe(200);
  });

  test("with 422 for a boolean that is none", async () => {
    const run = await start("assistant", "hello");
    expect((await goOn("assistant", run, { fork: "maybe" })).status).toBe(422);
  });
});
