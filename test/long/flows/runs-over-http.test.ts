import { describe, expect } from "vitest";
import { type Client, clientOf, framesOf, orderOf } from "../../support/client.ts";
import { plainOrder } from "../../support/event-orders.ts";
import type { RunningPlatform } from "../../support/platform.ts";
import { test } from "../../support/shared-platform.ts";

let platform: RunningPlatform;
let maria: Client;
let otto: Client;
let admin: Client;
test.beforeAll(async ({ platform: shared }) => {
  platform = shared;
  const scopes = ["agents:read", "agents:run", "sessions:read"];
  maria = clientOf(platform.url, platform.token("maria", scopes));
  otto = clientOf(platform.url, platform.token("otto", scopes));
  admin = clientOf(platform.url, platform.adminToken);
});

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe("a waiting run", () => {
  test("answers 200 with the finished run", async () => {
    const { status, json, headers } = await maria.run("hello");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/json");
    expect(json).toMatchObject({
      run_id: expect.stringMatching(UUID),
      session_id: expect.stringMatching(UUID),
      agent_id: "assistant",
      user_id: "maria",
      status: "COMPLETED",
      content: "You said: hello",
      content_type: "str",
      input: { input_content: "hello" },
      created_at: expect.any(Number),
    });
    expect(Object.values(json)).not.toContain(null);
  });

  test("as multipart form answers the same", async () => {
    const form = new FormData();
    form.set("message", "grüße");
    form.set("stream", "false");
    const { json } = await maria.post("/agents/assistant/runs", { form });
    expect(json).toMatchObject({ status: "COMPLETED", content: "You said: grüße" });
  });

  test("whose model fails answers 200 with status ERROR and the model's text", async () => {
    const { status, json } = await maria.run("[[fail:boom]]");
    expect(status).toBe(200);
    expect(json).toMatchObject({ status: "ERROR", content: "boom" });
  });

  test("makes a session id when none or an empty one is given, and keeps one that is", async () => {
    const empty = await maria.run("a", { session_id: "" });
    expect(empty.json.session_id).toMatch(UUID);
    const own = await maria.run("b", { session_id: "my session/1" });
    expect(own.json.session_id).toBe("my session/1");
    const found = await maria.get(
      `/agents/assistant/runs/${own.json.run_id}?session_id=${encodeURIComponent("my session/1")}`,
    );
    expect(found.json).toEqual(own.json);
  });

  test("belongs to the token's subject, whatever the form says, also for admins", async () => {
    expect((await maria.run("a", { user_id: "otto" })).json.user_id).toBe("maria");
    expect((await admin.run("a", { user_id: "otto" })).json.user_id).toBe("admin");
    const long = await admin.run("a", { user_id: "o".repeat(3000) });
    expect(long).toMatchObject({ status: 422, json: { detail: [{ loc: ["body", "user_id"] }] } });
  });

  test("takes fields that are not declared, and drops malformed JSON in the ones that are", async () => {
    const odd = await maria.run("a", {
      favourite_colour: "blue",
      metadata: "{not json",
      session_state: "[1]",
    });
    expect(odd).toMatchObject({ status: 200, json: { status: "COMPLETED", session_state: {} } });
    expect(odd.json.metadata).toBeUndefined();
    const kept = await maria.run("a", { metadata: '{"ticket":7}', session_state: '{"step":1}' });
    expect(kept.json).toMatchObject({ metadata: { ticket: 7 }, session_state: { step: 1 } });
    const next = await maria.run("b", { session_id: kept.json.session_id, session_state: '{"more":2}' });
    expect(next.json.session_state).toEqual({ step: 1, more: 2 });
  });
});

describe("a streamed run", () => {
  const stream = (message: string, form: Record<string, string> = {}) =>
    maria.post("/agents/assistant/runs", { form: { message, ...form } });

  test("is what a client gets that does not say otherwise", async () => {
    const { status, headers } = await stream("hello");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  });

  test("sends its events in order, each frame with its type, nothing null, no index, no end token", async () => {
    const { text } = await stream("hello there");
    const frames = framesOf(text);
    expect(orderOf(frames)).toEqual(plainOrder);
    expect(text.endsWith("\n\n")).toBe(true);
    for (const { event, data } of frames) {
      expect(data.event).toBe(event);
      expect(Object.values(data)).not.toContain(null);
      expect(data).not.toHaveProperty("event_index");
      expect(data).toMatchObject({ agent_id: "assistant", agent_name: "Assistant", nested_depth: 0 });
    }
    const deltas = frames.filter(({ event }) => event === "RunContent").map(({ data }) => data.content);
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.join("")).toBe("You said: hello there");
  });

  test("with stream_events=false sends its content only", async () => {
    const frames = framesOf((await stream("hello", { stream_events: "false" })).text);
    expect(orderOf(frames)).toEqual(["RunContent"]);
  });

  test("with a tool sends the call between two model requests", async () => {
    const frames = framesOf((await stream('[[tool:add_numbers {"a":2,"b":3}]]')).text);
    expect(orderOf(frames)).toEqual([
      "RunStarted",
      "ModelRequestStarted",
      "ModelRequestCompleted",
      "ToolCallStarted",
      "ToolCallCompleted",
      "ModelRequestStarted",
      "RunContent",
      "ModelRequestCompleted",
      "RunContentCompleted",
      "RunCompleted",
    ]);
    const tool = frames.find(({ event }) => event === "ToolCallCompleted")?.data.tool;
    expect(tool).toMatchObject({
      tool_name: "add_numbers",
      tool_args: { a: 2, b: 3 },
      result: "5",
      approval_id: null,
    });
  });

  test("with a failing tool sends the error after the call", async () => {
    const names = orderOf(framesOf((await stream('[[tool:add_numbers {"a":"x"}]]')).text));
    expect(names.slice(3, 6)).toEqual(["ToolCallStarted", "ToolCallCompleted", "ToolCallError"]);
    expect(names.at(-1)).toBe("RunCompleted");
  });

  test("whose model fails ends with the error", async () => {
    const frames = framesOf((await stream("[[fail:boom]]")).text);
    expect(orderOf(frames)).toEqual(["RunStarted", "ModelRequestStarted", "RunError"]);
    expect(frames.at(-1)?.data.content).toBe("boom");
  });

  test("that ended can be polled at once: its end is stored before it is sent", async () => {
    const [first] = framesOf((await stream("hello")).text);
    const { json } = await maria.poll(first?.data as { run_id: string; session_id: string });
    expect(json.status).toBe("COMPLETED");
  });

  test("arrives while it happens", async () => {
    const response = await maria.send("POST", "/agents/assistant/runs", {
      form: { message: "[[sleep:400]]" },
    });
    const reader = response.body?.getReader();
    const first = new TextDecoder().decode((await reader?.read())?.value);
    const at = Date.now();
    while (!(await reader?.read())?.done);
    expect(first).toContain("event: RunStarted");
    expect(Date.now() - at).toBeGreaterThan(200);
  });
});

describe("a background run", () => {
  test("answers 202 with exactly three keys, can be polled from that moment on, and completes", async () => {
    const { status, json } = await maria.run("later", { background: "true" });
    expect(status).toBe(202);
    expect(json).toEqual({
      run_id: expect.stringMatching(UUID),
      session_id: expect.stringMatching(UUID),
      status: "PENDING",
    });
    const seen = new Set<string>();
    for (let current = ""; current !== "COMPLETED"; ) {
      const answer = await maria.poll(json);
      expect(answer.status).toBe(200);
      current = answer.json.status;
      seen.add(current);
    }
    expect([...seen].every((one) => ["PENDING", "RUNNING", "COMPLETED"].includes(one))).toBe(true);
    const run = await maria.settled(json);
    expect(run.content).toBe("You said: later");
  });

  test("streamed sends the record's events with rising indices", async () => {
    const { text, status } = await maria.run("both", { background: "true", stream: "true" });
    expect(status).toBe(200);
    const frames = framesOf(text);
    expect(orderOf(frames)).toEqual(plainOrder);
    expect(frames.map(({ data }) => data.event_index)).toEqual(frames.map((_, i) => i));
    const jobs = await admin.get("/queue/jobs?limit=100");
    const job = jobs.json.data.find(({ id }: { id: string }) => id === frames[0]?.data.run_id);
    expect(job.payload).toEqual({ input: "both", kwargs: {}, stream: true });
  });

  test("beside another in one session leaves both in the session's list", async () => {
    const first = await maria.submit("one");
    const second = await maria.submit("two", { session_id: first.session_id });
    await Promise.all([maria.settled(first), maria.settled(second)]);
    const { json } = await maria.get(`/agents/assistant/runs?session_id=${first.session_id}`);
    expect(json.map((run: { run_id: string }) => run.run_id).sort()).toEqual(
      [first.run_id, second.run_id].sort(),
    );
    expect(json[0]).toMatchObject({
      status: "COMPLETED",
      run_input: expect.any(String),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      events: null,
      input_media: { images: [], videos: [], audios: [], files: [] },
    });
    const none = await maria.get(`/agents/assistant/runs?session_id=${first.session_id}&status=completed`);
    expect(none).toMatchObject({ status: 200, json: [] });
  });

  test("with an idempotency key runs once, and answers with the same run whatever the message", async () => {
    const key = { "idempotency-key": "order-77" };
    const first = await maria.run("once", { background: "true" }, key);
    await maria.settled(first.json);
    const again = await maria.run("something else", { background: "true" }, key);
    expect(again).toMatchObject({ status: 202, json: { ...first.json, status: "COMPLETED" } });
    const other = await otto.run("mine", { background: "true" }, key);
    expect(other.json.run_id).not.toBe(first.json.run_id);
    const streamed = await maria.run("x", { background: "true", stream: "true" }, key);
    expect(streamed).toMatchObject({ status: 409, json: { error_code: "CONFLICT" } });
    const long = await maria.run("x", { background: "true" }, { "idempotency-key": "k".repeat(513) });
    expect(long.status).toBe(422);
  });
});

describe("a used idempotency key", () => {
  const submit = (client: Client, key: string, form: Record<string, string> = {}, agent = "assistant") =>
    client.post(`/agents/${agent}/runs`, {
      form: { message: "[[fail:boom]]", stream: "false", background: "true", ...form },
      headers: { "idempotency-key": key },
    });

  test("answers with what became of the run: RUNNING, then ERROR", async () => {
    const form = { message: "[[sleep:500]] [[fail:boom]]" };
    const { json: first } = await submit(maria, "states", form);
    await expect.poll(async () => (await submit(maria, "states", form)).json.status).toBe("RUNNING");
    await maria.settled(first);
    const again = await submit(maria, "states");
    expect(again).toMatchObject({ status: 202, json: { ...first, status: "ERROR" } });
  });

  test("of another component is a conflict that does not show the original", async () => {
    const { json: first } = await submit(maria, "components");
    const other = await submit(maria, "components", {}, "refund-desk");
    expect(other).toMatchObject({ status: 409, json: { error_code: "CONFLICT" } });
    expect(other.text).not.toContain(first.run_id);
  });

  test("of a streamed run attaches to it while it runs, and replays it when it has ended", async () => {
    const form = { message: "[[sleep:400]] hello", stream: "true" };
    const [original, attached] = await Promise.all([
      submit(maria, "streamed", form),
      submit(maria, "streamed", form),
    ]);
    const replayed = await submit(maria, "streamed", form);
    expect(orderOf(framesOf(original.text)).at(-1)).toBe("RunCompleted");
    expect(framesOf(attached.text)).toEqual(framesOf(original.text));
    expect(framesOf(replayed.text)).toEqual(framesOf(original.text));
  });

  test("of a run in the foreground waits for it with the first request, and is answered like it", async () => {
    const key = "waited for";
    const session_id = crypto.randomUUID();
    const form = { message: "[[sleep:300]] pay", background: "false", session_id };
    const sent = await Promise.all(Array.from({ length: 5 }, () => submit(maria, key, form)));
    for (const { status, json } of sent)
      expect({ status, json }).toMatchObject({
        status: 200,
        json: { ...sent[0]?.json, status: "COMPLETED" },
      });
    expect((await submit(maria, key, form)).json).toEqual(sent[0]?.json);
    const streamed = await submit(maria, key, { ...form, stream: "true" });
    expect(orderOf(framesOf(streamed.text)).at(-1)).toBe("RunCompleted");
    const queued = await submit(maria, key, { ...form, background: "true" });
    expect(queued).toMatchObject({
      status: 202,
      json: { run_id: sent[0]?.json.run_id, status: "COMPLETED" },
    });
    const { json: runs } = await maria.get(`/agents/assistant/runs?session_id=${session_id}`);
    expect(runs).toHaveLength(1);
    const others = await submit(otto, key, { ...form, session_id: crypto.randomUUID() });
    expect(others.json.run_id).not.toBe(sent[0]?.json.run_id);
    const deleted = await admin.call("DELETE", `/sessions/${session_id}?type=agent&user_id=maria`);
    expect(deleted.status).toBe(204);
    const gone = await submit(maria, key, form);
    expect(gone).toMatchObject({ status: 409, json: { detail: expect.stringContaining("deleted") } });
  });

  test("of a stream in the foreground has its events again", async () => {
    const form = { message: "hello", background: "false", stream: "true" };
    const first = await submit(maria, "stream", form);
    const again = await submit(maria, "stream", form);
    expect(orderOf(framesOf(again.text))).toEqual(orderOf(framesOf(first.text)));
    expect(framesOf(again.text)[0]?.data.run_id).toBe(framesOf(first.text)[0]?.data.run_id);
  });

  test("of a continuation continues once, and is answered with the rest of the run", async () => {
    const paused = await maria.post("/agents/front-desk/runs", {
      form: { message: '[[tool:read_device_file {"path":"a.txt"}]]', stream: "false" },
    });
    const { run_id, session_id, tools } = paused.json;
    expect(paused.json.status).toBe("PAUSED");
    const answered = JSON.stringify([{ ...tools[0], result: "what is in it" }]);
    const goOn = () =>
      maria.post(`/agents/front-desk/runs/${run_id}/continue`, {
        form: { session_id, tools: answered, stream: "false" },
        headers: { "idempotency-key": "go on" },
      });
    const [first, ...others] = await Promise.all([goOn(), goOn(), goOn()]);
    expect(first).toMatchObject({ status: 200, json: { run_id, status: "COMPLETED" } });
    for (const other of others) expect(other.json).toEqual(first?.json);
    expect((await goOn()).json).toEqual(first?.json);
  });
});

describe("session_policy", () => {
  test("queue lets a session's runs follow each other", async () => {
    const first = await maria.submit("[[sleep:1500]]");
    const { session_id } = first;
    const second = await maria.submit("then", { session_id, session_policy: "queue" });
    expect((await maria.settled(second)).status).toBe("COMPLETED");
    expect((await maria.poll(first)).json.status).toBe("COMPLETED");
  });

  test("reject answers 409 and names the live run, for every way to run", async () => {
    const { run_id, session_id } = await maria.submit("[[sleep:20000]]");
    for (const mode of [{ background: "true" }, {}, { stream: "true" }]) {
      const answer = await maria.run("no", { session_id, session_policy: "reject", ...mode });
      expect(answer).toMatchObject({ status: 409, json: { error_code: "CONFLICT" } });
      expect(answer.json.detail).toContain(run_id);
    }
    const { json } = await maria.get(`/agents/assistant/runs?session_id=${session_id}`);
    expect(json).toHaveLength(1);
    await maria.post(`/agents/assistant/runs/${run_id}/cancel?session_id=${session_id}`);
  });

  test("interrupt stops the live run, in the background and in the foreground", async () => {
    for (const mode of [{ background: "true" }, { background: "false" }]) {
      const first = await maria.submit("[[sleep:20000]]");
      const { session_id } = first;
      await expect.poll(async () => (await maria.poll(first)).json.status).toBe("RUNNING");
      const { json } = await maria.run("instead", { session_id, session_policy: "interrupt", ...mode });
      expect((await maria.settled(first)).status).toBe("CANCELLED");
      expect(await maria.settled(json)).toMatchObject({ status: "COMPLETED", content: "You said: instead" });
    }
  });

  test("that is unknown is 422; queue without background is 400", async () => {
    expect(await maria.run("x", { session_policy: "later" })).toMatchObject({
      status: 422,
      json: { detail: [{ loc: ["body", "session_policy"], type: "enum" }] },
    });
    expect(await maria.run("x", { session_policy: "queue" })).toMatchObject({
      status: 400,
      json: { detail: expect.stringContaining("background=true") },
    });
  });
});

describe("what is refused", () => {
  const validation = (loc: string[], type: string) => ({
    status: 422,
    json: { detail: [expect.objectContaining({ loc, type, msg: expect.any(String) })] },
  });

  test("a JSON body where a form is asked, and an empty or absent message", async () => {
    const path = "/agents/assistant/runs";
    const missing = validation(["body", "message"], "missing");
    expect(await maria.post(path, { json: { message: "hi" } })).toMatchObject(
      validation(["body"], "value_error"),
    );
    expect(await maria.post(path, { form: { message: "" } })).toMatchObject(missing);
    expect(await maria.post(path, { form: { stream: "false" } })).toMatchObject(missing);
    expect(await maria.post(path)).toMatchObject(missing);
  });

  test("JSON that no item can hold, in every field that is kept, also where the run would be queued", async () => {
    const before = (await admin.get("/queue/stats")).json.counts;
    for (const field of ["metadata", "session_state", "dependencies", "knowledge_filters", "images"]) {
      const form = { [field]: '[{"url":"https://a.example","n":1e300}]', background: "true" };
      expect(await maria.run("x", form)).toMatchObject(validation(["body", field], "value_error"));
    }
    expect((await admin.get("/queue/stats")).json.counts).toEqual(before);
  });

  test("words that are no booleans, a version that is no number", async () => {
    expect(await maria.run("x", { stream: "maybe" })).toMatchObject(
      validation(["body", "stream"], "bool_parsing"),
    );
    expect(await maria.run("x", { version: "two" })).toMatchObject(
      validation(["body", "version"], "int_parsing"),
    );
  });

  test("an unknown agent, everywhere", async () => {
    const gone = { status: 404, json: { detail: expect.any(String), error_code: "NOT_FOUND" } };
    expect(await maria.post("/agents/unknown/runs", { form: { message: "x" } })).toMatchObject(gone);
    expect(await maria.get("/agents/unknown")).toMatchObject(gone);
    expect(await maria.get("/agents/unknown/runs?session_id=s")).toMatchObject(gone);
    expect(await maria.get("/agents/unknown/runs/r?session_id=s")).toMatchObject(gone);
  });

  test("polling without a session", async () => {
    expect(await maria.get("/agents/assistant/runs/r")).toMatchObject(
      validation(["query", "session_id"], "missing"),
    );
  });

  test("another user's run, a wrong session, another component, all with one text", async () => {
    const run = (await maria.run("mine")).json;
    const path = (agent: string, session = run.session_id) =>
      `/agents/${agent}/runs/${run.run_id}?session_id=${session}`;
    const answers = await Promise.all([
      otto.get(path("assistant")),
      maria.get(path("assistant", "elsewhere")),
      maria.get(path("refund-desk")),
      maria.get(`/agents/assistant/runs/no-such-run?session_id=${run.session_id}`),
    ]);
    for (const answer of answers) expect(answer.status).toBe(404);
    const texts = answers.map(({ json }) => json.detail.replace("no-such-run", run.run_id));
    expect(new Set(texts).size).toBe(1);
    expect(await otto.run("x", { session_id: run.session_id })).toMatchObject({ status: 404 });
    expect(await otto.get(`/agents/assistant/runs?session_id=${run.session_id}`)).toMatchObject({
      status: 404,
    });
    expect((await admin.get(path("assistant"))).json).toEqual(run);
  });

  test("an upload", async () => {
    const form = new FormData();
    form.set("message", "look");
    form.set("files", new Blob(["MZ"], { type: "application/x-msdownload" }), "tool.exe");
    const answer = await maria.post("/agents/assistant/runs", { form });
    expect(answer).toMatchObject({ status: 400, json: { error_code: "BAD_REQUEST" } });
  });

  test("a body over the limit, leaving nothing behind", async () => {
    const before = (await admin.get("/queue/stats")).json.counts;
    const answer = await maria.run("x".repeat(4_701_000), { background: "true" });
    expect(answer).toMatchObject({ status: 413, json: { error_code: "PAYLOAD_TOO_LARGE" } });
    expect((await admin.get("/queue/stats")).json.counts).toEqual(before);
  });

  test("no credential, a lacking scope, a scope for another agent", async () => {
    const path = "/agents/assistant/runs";
    const unauthenticated = clientOf(platform.url);
    expect(await unauthenticated.post(path, { form: { message: "x" } })).toMatchObject({
      status: 401,
      json: { error_code: "UNAUTHENTICATED" },
    });
    const reader = clientOf(platform.url, platform.token("maria", ["agents:read"]));
    expect(await reader.run("x")).toMatchObject({
      status: 403,
      json: { detail: "Insufficient permissions. Required scope(s): agents:run" },
    });
    const narrow = clientOf(platform.url, platform.token("maria", ["agents:assistant:run"]));
    expect((await narrow.run("x")).status).toBe(200);
    expect((await narrow.post("/agents/refund-desk/runs", { form: { message: "x" } })).status).toBe(403);
  });

  test("a credential without a subject: nothing could belong to it", async () => {
    const anonymous = clientOf(platform.url, platform.token("", ["agents:run"]));
    expect((await anonymous.run("x")).status).toBe(403);
  });
});

describe("cancelling", () => {
  const cancel = (client: Client, run: { run_id: string; session_id: string }) =>
    client.post(`/agents/assistant/runs/${run.run_id}/cancel?session_id=${run.session_id}`);

  test("a streamed run stops it long before its model answers: RunCancelled, then RunCompleted", async () => {
    const response = await maria.send("POST", "/agents/assistant/runs", {
      form: { message: "[[sleep:20000]]" },
    });
    const reader = response.body?.getReader();
    let text = new TextDecoder().decode((await reader?.read())?.value);
    const run = framesOf(text)[0]?.data as { run_id: string; session_id: string };
    const from = Date.now();
    expect(await cancel(maria, run)).toMatchObject({ status: 200, json: {} });
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
      text += new TextDecoder().decode(read.value);
    }
    expect(Date.now() - from).toBeLessThan(10_000);
    expect(orderOf(framesOf(text)).slice(-2)).toEqual(["RunCancelled", "RunCompleted"]);
    expect((await maria.poll(run)).json.status).toBe("CANCELLED");
  });

  test("by an admin who names no session stops a foreground run too, also one that is paused", async () => {
    const stream = await maria.send("POST", "/agents/assistant/runs", {
      form: { message: "[[sleep:20000]]" },
    });
    const reader = stream.body?.getReader();
    const first = new TextDecoder().decode((await reader?.read())?.value);
    const run = framesOf(first)[0]?.data as { run_id: string; session_id: string };
    expect(await admin.post(`/agents/assistant/runs/${run.run_id}/cancel`)).toMatchObject({
      status: 200,
      json: {},
    });
    const from = Date.now();
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read());
    expect(Date.now() - from).toBeLessThan(10_000);
    expect((await maria.poll(run)).json.status).toBe("CANCELLED");

    const paused = await admin.post("/agents/front-desk/runs", {
      form: { message: '[[tool:send_letter {"to":"K-7","text":"hello"}]]', stream: "false" },
    });
    expect(paused.json.status).toBe("PAUSED");
    const path = `/agents/front-desk/runs/${paused.json.run_id}`;
    expect((await admin.post(`${path}/cancel`)).status).toBe(200);
    const [tool] = paused.json.tools;
    const tools = JSON.stringify([{ ...tool, confirmed: true }]);
    const form = { session_id: paused.json.session_id, stream: "false", tools };
    expect((await admin.post(`${path}/continue`, { form })).json.status).toBe("CANCELLED");
  });

  test("a background run that is executed stops it", async () => {
    const run = await maria.submit("[[sleep:20000]]");
    while ((await maria.poll(run)).json.status !== "RUNNING");
    expect((await cancel(maria, run)).status).toBe(200);
    expect((await maria.settled(run)).status).toBe("CANCELLED");
  });

  test("is {} for admins whatever the run, 400 without a session and 404 without ownership for others", async () => {
    const run = (await maria.run("done")).json;
    expect(await cancel(admin, run)).toMatchObject({ status: 200, text: "{}" });
    expect(await cancel(admin, { run_id: "no-such-run", session_id: "s" })).toMatchObject({
      status: 200,
      text: "{}",
    });
    expect(await admin.post("/agents/assistant/runs/no-such-run/cancel")).toMatchObject({
      status: 200,
      text: "{}",
    });
    expect(await cancel(maria, run)).toMatchObject({ status: 200, text: "{}" });
    expect((await maria.poll(run)).json.status).toBe("COMPLETED");
    expect((await maria.post(`/agents/assistant/runs/${run.run_id}/cancel`)).status).toBe(400);
    expect((await cancel(otto, run)).status).toBe(404);
    expect((await cancel(maria, { ...run, session_id: "elsewhere" })).status).toBe(404);
    expect((await maria.post(`/agents/unknown/runs/${run.run_id}/cancel?session_id=s`)).status).toBe(404);
  });

  test("not by leaving: a run goes on to its end when its client hangs up, as on AWS", async () => {
    const leaving = new AbortController();
    const response = await fetch(`${platform.url}/agents/assistant/runs`, {
      method: "POST",
      body: new URLSearchParams({ message: "[[sleep:1500]]" }),
      headers: { authorization: `Bearer ${platform.token("maria", ["agents:run"])}` },
      signal: leaving.signal,
    });
    const { value } = (await response.body?.getReader().read()) ?? {};
    const run = framesOf(new TextDecoder().decode(value))[0]?.data as { run_id: string; session_id: string };
    leaving.abort();
    expect((await maria.settled(run)).status).toBe("COMPLETED");
  });
});

test("the same routes answer behind the HTTP API itself, buffered", async () => {
  const direct = clientOf(platform.apiUrl, platform.token("maria", ["agents:run", "agents:read"]));
  expect((await direct.run("hello")).json).toMatchObject({ status: "COMPLETED" });
  const { text, headers } = await direct.post("/agents/assistant/runs", { form: { message: "hello" } });
  expect(headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expect(orderOf(framesOf(text))).toEqual(plainOrder);
});
