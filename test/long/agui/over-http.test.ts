import { describe, expect } from "vitest";
import { frontEnd, inputOf, said, theOne, typesOf } from "../../support/agui-world.ts";
import { clientOf } from "../../support/client.ts";
import { createComponent } from "../../support/create-component.ts";
import type { RunningPlatform } from "../../support/platform.ts";
import { test } from "../../support/shared-platform.ts";

let platform: RunningPlatform;
test.beforeAll(({ platform: shared }) => {
  platform = shared;
});

const everyRun = ["agents:read", "agents:run"];
const assistant = () => frontEnd(platform, "/agents/assistant/agui", "maria");

/** Says something, and cancels the run by its id. */
async function cancelled(front: ReturnType<typeof assistant>) {
  const maria = clientOf(platform.url, platform.token("maria", ["agents:run"]));
  const running = front.say("[[sleep:20000]] long");
  await expect.poll(() => front.events.length).toBeGreaterThan(0);
  const { run_id } = theOne(front.events, "RUN_STARTED").metadata["agent-platform"];
  await maria.post(`/agents/assistant/runs/${run_id}/cancel?session_id=${front.agent.threadId}`);
  return running;
}

describe("a text", () => {
  test("of an agent is streamed, and the client has it as a message", async () => {
    const front = assistant();
    const { events, result } = await front.say("Hello there");
    expect(typesOf(events)).toEqual([
      "RUN_STARTED",
      "STATE_SNAPSHOT",
      "TEXT_MESSAGE_START",
      "TEXT_MESSAGE_CONTENT",
      "TEXT_MESSAGE_END",
      "RUN_FINISHED",
    ]);
    expect(said(front.agent.messages)).toContain("Hello there");
    expect(theOne(events, "RUN_STARTED")).toMatchObject({
      threadId: front.agent.threadId,
      protocolVersion: "1.0",
      metadata: { "agent-platform": { session_id: front.agent.threadId } },
    });
    expect(theOne(events, "RUN_FINISHED")).toMatchObject({ outcome: { type: "success" } });
    expect(theOne(events, "RUN_FINISHED").usage[0]).toMatchObject({ inputTokens: expect.any(Number) });
    expect(result.newMessages).toHaveLength(1);
  });

  test("of a team and of a workflow is streamed too", async () => {
    const team = frontEnd(platform, "/teams/support-team/agui", "maria");
    await team.say("Hello team");
    expect(said(team.agent.messages)).toContain("Hello team");
    const workflow = frontEnd(platform, "/workflows/publish-report/agui", "maria");
    const { events } = await workflow.say("sea level");
    expect(typesOf(events)).toContain("STEP_STARTED");
    expect(typesOf(events)).toContain("RUN_FINISHED");
  });
});

describe("reasoning, tools and state", () => {
  test("a call of a tool is shown before its result, and both are in the client's messages", async () => {
    const front = assistant();
    const { events } = await front.say('[[tool:add_numbers {"a":2,"b":3}]]');
    const start = theOne(events, "TOOL_CALL_START");
    expect(start).toMatchObject({ toolCallName: "add_numbers" });
    expect(JSON.parse(theOne(events, "TOOL_CALL_ARGS").delta)).toEqual({ a: 2, b: 3 });
    expect(theOne(events, "TOOL_CALL_RESULT")).toMatchObject({ toolCallId: start.toolCallId, content: "5" });
    const types = typesOf(events);
    expect(types.indexOf("TOOL_CALL_END")).toBeLessThan(types.indexOf("TOOL_CALL_RESULT"));
    expect(front.agent.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
    const again = await front.say('[[tool:add_numbers {"a":4,"b":5}]]');
    expect(theOne(again.events, "TOOL_CALL_START").toolCallId).not.toBe(start.toolCallId);
  });

  test("the state of the client goes into the session, and changes come back as a patch", async () => {
    const front = frontEnd(platform, "/agents/concierge/agui", "maria");
    front.agent.setState({ floor: 3 });
    const { events } = await front.say('[[tool:remember_name {"name":"Maria"}]]');
    expect(theOne(events, "STATE_SNAPSHOT").snapshot).toEqual({ floor: 3 });
    expect(theOne(events, "STATE_DELTA").delta).toEqual([{ op: "add", path: "/guest", value: "Maria" }]);
    expect(front.agent.state).toEqual({ floor: 3, guest: "Maria" });
  });

  test("the state is sent as a tool changes it, before its result, also by a member and in a step", async () => {
    const call = '[[tool:remember_name {"name":"Maria"}]]';
    const admin = clientOf(platform.url, platform.adminToken);
    const stored = (component_type: string, config: object) =>
      createComponent(admin, {
        ...{ component_type, config, stage: "published" },
        component_id: `agui-${component_type}-${crypto.randomUUID()}`,
      });
    const team = await stored("team", { members: [{ agent_id: "concierge" }] });
    const workflow = await stored("workflow", { steps: [{ name: "greet", agent_id: "concierge" }] });
    const delegated = JSON.stringify({ member_id: "concierge", task: call });
    for (const [path, text] of [
      ["agents/concierge", call],
      [`teams/${team}`, `[[tool:delegate_task_to_member ${delegated}]]`],
      [`workflows/${workflow}`, call],
    ]) {
      const front = frontEnd(platform, `/${path}/agui`, "maria");
      const { events } = await front.say(text ?? "");
      expect(theOne(events, "STATE_DELTA").delta).toEqual([{ op: "add", path: "/guest", value: "Maria" }]);
      const types = typesOf(events);
      expect(types.indexOf("STATE_DELTA")).toBeLessThan(types.indexOf("TOOL_CALL_RESULT"));
      expect(front.agent.state).toEqual({ guest: "Maria" });
      // Followed, it is sent at the end: the record has no state of the time in between.
      const { run_id } = theOne(events, "RUN_STARTED").metadata["agent-platform"];
      await front.run({ forwardedProps: { follow: run_id } });
      expect(front.agent.state).toEqual({ guest: "Maria" });
    }
  });

  test("a file that a tool makes is a part of its result, with an address; the thread has it too", async () => {
    const front = assistant();
    const { events } = await front.say('[[tool:draw_badge {"colour":"#ff0000"}]]');
    const [text, image] = theOne(events, "TOOL_CALL_RESULT").content;
    expect(text).toEqual({ type: "text", text: "The badge is drawn." });
    expect(image).toMatchObject({ type: "image", source: { type: "url", mimeType: "image/png" } });
    expect(image.metadata.filename).toBe("badge.png");
    const png = Buffer.from("89504e470d0a1a0a", "hex");
    const signed = Buffer.from(await (await fetch(image.source.value)).arrayBuffer());
    expect(signed.subarray(0, 8)).toEqual(png);
    const authorization = `Bearer ${platform.token("maria", ["sessions:read"])}`;
    const own = await fetch(`${platform.url}${image.metadata.path}`, { headers: { authorization } });
    expect(Buffer.from(await own.arrayBuffer()).equals(signed)).toBe(true);
    // It is the same file in the run's own media, and is not sent twice.
    expect(events.filter(({ name }) => name === "media")).toEqual([]);
    const other = assistant();
    other.agent.threadId = front.agent.threadId;
    await other.run();
    const shown = other.agent.messages.find(({ role }) => role === "tool");
    expect(shown?.content).toMatchObject([text, { type: "image", metadata: image.metadata }]);
  });

  test("a file is sent as custom to a client of before 1.0, which knows results as text", async () => {
    const maria = clientOf(platform.url, platform.token("maria", everyRun));
    const json = inputOf('[[tool:draw_badge {"colour":"#00ff00"}]]');
    const { text } = await maria.post("/agents/assistant/agui", { json });
    expect(text).toContain('"content":"The badge is drawn."');
    expect(text.match(/"name":"media"/g)).toHaveLength(1);
    expect(text).not.toContain('"object"');
  });

  test("a file of the user is the model's, and in the thread; one that cannot be read is refused", async () => {
    const front = assistant();
    const source = { type: "data" as const, value: "iVBORw0KGgo=", mimeType: "image/png" };
    const content = [
      { type: "text" as const, text: "Look" },
      { type: "image" as const, source },
    ];
    front.add({ id: "m1", role: "user", content });
    await front.run();
    const other = assistant();
    other.agent.threadId = front.agent.threadId;
    await other.run();
    expect(other.agent.messages[0]?.content).toMatchObject([
      { type: "text", text: "Look" },
      { type: "image", source: { type: "url", mimeType: "image/png" } },
    ]);
    const maria = clientOf(platform.url, platform.token("maria", everyRun));
    const held = [
      { type: "text", text: "Look" },
      { type: "document", source: { type: "file", value: "f-1" } },
    ];
    const json = { ...inputOf(""), messages: [{ id: "m", role: "user", content: held }] };
    const refused = await maria.post("/agents/assistant/agui", { json });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining("document cannot be read")]);
  });

  test("a picture without a text is a message; one with neither is refused", async () => {
    const front = assistant();
    const source = { type: "data" as const, value: "iVBORw0KGgo=", mimeType: "image/png" };
    front.add({ id: "m1", role: "user", content: [{ type: "image", source }] });
    const { events } = await front.run();
    expect(theOne(events, "RUN_FINISHED").outcome).toEqual({ type: "success" });
    const maria = clientOf(platform.url, platform.token("maria", everyRun));
    const json = { ...inputOf(""), messages: [{ id: "m", role: "user", content: "" }] };
    expect((await maria.post("/agents/assistant/agui", { json })).status).toBe(422);
  });

  test("what AG-UI has no event for is custom, under its own name", async () => {
    const { events } = await frontEnd(platform, "/agents/concierge/agui", "maria").say("Hello");
    const names = events.filter(({ type }) => type === "CUSTOM").map(({ name }) => name);
    expect(names).toContain("FollowupsCompleted");
    expect(names).toContain("PreHookCompleted");
  });

  test("context can be read by instructions and tools", async () => {
    const front = frontEnd(platform, "/agents/concierge/agui", "maria");
    const context = [{ description: "page", value: '{"name":"checkout"}' }];
    await front.say("Hello", { context });
    const { threadId } = front.agent;
    const maria = clientOf(platform.url, platform.token("maria", ["agents:read", "agents:run"]));
    const [run] = (await maria.get(`/agents/concierge/runs?session_id=${threadId}`)).json;
    const asked = run.messages.find(({ role }: { role: string }) => role === "user");
    expect(asked.context).toContain('{"page":{"name":"checkout"}}');
  });
});

describe("tools of the front end", () => {
  const tools = [
    {
      name: "pick_colour",
      description: "Let the user pick a colour.",
      parameters: { type: "object", properties: { of: { type: "string" } }, required: ["of"] },
    },
  ];
  const call = '[[tool:pick_colour {"of":"the sky"}]]';

  test.for(["/agents/assistant/agui", "/teams/support-team/agui"])(
    "are called by %s; the run pauses for the result and continues with it",
    async (path) => {
      const front = frontEnd(platform, path, "maria");
      const { events } = await front.say(call, { tools });
      const { toolCallId } = theOne(events, "TOOL_CALL_START");
      expect(theOne(events, "RUN_FINISHED").outcome).toEqual({
        type: "success",
        pendingToolCallIds: [toolCallId],
      });
      const { run_id } = theOne(events, "RUN_STARTED").metadata["agent-platform"];
      front.add({ id: "result-1", role: "tool", toolCallId, content: "blue" });
      const next = await front.run({ tools });
      expect(theOne(next.events, "RUN_STARTED").metadata["agent-platform"].run_id).toBe(run_id);
      expect(typesOf(next.events)).not.toContain("TOOL_CALL_RESULT");
      // The thread began with this run, and holds what the client has shown of it.
      expect(next.events.filter(({ name }) => name === "history_ignored")).toEqual([]);
      expect(said(front.agent.messages)).toContain("blue");
      expect(theOne(next.events, "RUN_FINISHED").outcome).toEqual({ type: "success" });
    },
  );

  test("continue a run that is executed by the queue", async () => {
    const front = assistant();
    const { events } = await front.say(call, { tools, forwardedProps: { background: true } });
    const { toolCallId } = theOne(events, "TOOL_CALL_START");
    front.add({ id: "result-1", role: "tool", toolCallId, content: "green" });
    await front.run({ tools });
    expect(said(front.agent.messages)).toContain("green");
  });

  test("of another user's run do not exist", async () => {
    const front = assistant();
    const { events } = await front.say(call, { tools });
    const { toolCallId } = theOne(events, "TOOL_CALL_START");
    const otto = clientOf(platform.url, platform.token("otto", ["agents:run"]));
    const messages = [{ id: "m", role: "tool", toolCallId, content: "stolen" }];
    const json = { ...inputOf(""), threadId: front.agent.threadId, messages };
    expect((await otto.post("/agents/assistant/agui", { json })).status).toBe(404);
  });

  test("may not have the name of a tool that the agent has", async () => {
    const front = assistant();
    const own = [{ name: "add_numbers", description: "mine" }];
    const { events } = await front.say("hello", { tools: own });
    expect(theOne(events, "RUN_ERROR").message).toContain("two tools named add_numbers");
  });
});

describe("a pause", () => {
  const refund = '[[tool:issue_refund {"order_id":"o-1","amount":5}]]';

  test("is an interrupt, whose answer continues the same run", async () => {
    const front = frontEnd(platform, "/agents/refund-desk/agui", "maria");
    const { events } = await front.say(refund);
    const { outcome } = theOne(events, "RUN_FINISHED");
    expect(outcome).toMatchObject({
      type: "interrupt",
      interrupts: [
        {
          reason: "tool_call",
          toolCallId: theOne(events, "TOOL_CALL_START").toolCallId,
          responseSchema: { required: ["approved"] },
        },
      ],
    });
    const [{ id }] = outcome.interrupts;
    const resume = [{ interruptId: id, status: "resolved" as const, payload: { confirmed: true } }];
    const next = await front.run({ resume });
    expect(typesOf(next.events)).not.toContain("TOOL_CALL_START");
    expect(theOne(next.events, "TOOL_CALL_RESULT").content).toContain("Refunded 5");
    const json = { ...inputOf(""), threadId: front.agent.threadId, resume };
    const maria = clientOf(platform.url, platform.token("maria", ["agents:run"]));
    expect((await maria.post("/agents/refund-desk/agui", { json })).status).toBe(409);
  });

  test("for a confirmation takes the call as a person has edited it, where its schema does", async () => {
    const front = frontEnd(platform, "/agents/refund-desk/agui", "maria");
    const { events } = await front.say(refund);
    const [{ id }] = theOne(events, "RUN_FINISHED").outcome.interrupts;
    const edited = (editedArgs: unknown) => ({
      resume: [{ interruptId: id, status: "resolved" as const, payload: { approved: true, editedArgs } }],
    });
    await expect(front.run(edited({ order_id: "o-1", amount: -3 }))).rejects.toThrow("400");
    await expect(front.run(edited(["o-1"]))).rejects.toThrow("400");
    const next = await front.run(edited({ order_id: "o-1", amount: 3 }));
    expect(theOne(next.events, "TOOL_CALL_RESULT").content).toContain("Refunded 3");
  });

  test("that is abandoned is refused", async () => {
    const front = frontEnd(platform, "/agents/refund-desk/agui", "maria");
    const { events } = await front.say(refund);
    const [{ id }] = theOne(events, "RUN_FINISHED").outcome.interrupts;
    const next = await front.run({ resume: [{ interruptId: id, status: "cancelled" }] });
    expect(JSON.stringify(next.events)).not.toContain("Refunded");
    expect(theOne(next.events, "RUN_FINISHED").outcome).toEqual({ type: "success" });
  });

  test("for input takes values, and one that has no no ends the run where it is abandoned", async () => {
    const front = frontEnd(platform, "/agents/front-desk/agui", "maria");
    const asked = await front.say('[[tool:book_table {"restaurant":"Olivo"}]]');
    const [{ id, responseSchema }] = theOne(asked.events, "RUN_FINISHED").outcome.interrupts;
    expect(responseSchema.properties.values.required).toEqual(["guests", "time"]);
    const payload = { values: { guests: 4, time: "19:30" } };
    const next = await front.run({ resume: [{ interruptId: id, status: "resolved", payload }] });
    expect(theOne(next.events, "TOOL_CALL_RESULT").content).toBe("Booked Olivo for 4 at 19:30.");
    const other = frontEnd(platform, "/agents/front-desk/agui", "maria");
    const again = await other.say('[[tool:book_table {"restaurant":"Olivo"}]]');
    const [open] = theOne(again.events, "RUN_FINISHED").outcome.interrupts;
    const ended = await other.run({ resume: [{ interruptId: open.id, status: "cancelled" }] });
    expect(theOne(ended.events, "RUN_FINISHED").outcome).toEqual({ type: "cancelled" });
  });

  test("of a team's member and of a workflow's step is an interrupt of the run", async () => {
    const team = frontEnd(platform, "/teams/support-team/agui", "maria");
    const delegated = JSON.stringify({ member_id: "refund-desk", task: refund });
    const { events } = await team.say(`[[tool:delegate_task_to_member ${delegated}]]`);
    const { outcome } = theOne(events, "RUN_FINISHED");
    expect(outcome.type).toBe("interrupt");
    expect(theOne(events, "SUBAGENT_FINISHED").outcome).toMatchObject({ type: "suspended" });
    const resume = outcome.interrupts.map(({ id }: { id: string }) => ({
      interruptId: id,
      status: "resolved" as const,
      payload: { confirmed: true },
    }));
    const next = await team.run({ resume });
    expect(JSON.stringify(next.events)).toContain("Refunded 5");
    expect(theOne(next.events, "RUN_FINISHED").outcome).toEqual({ type: "success" });
    const workflow = frontEnd(platform, "/workflows/publish-report/agui", "maria");
    const asked = await workflow.say("sea level");
    const [{ id, message }] = theOne(asked.events, "RUN_FINISHED").outcome.interrupts;
    expect(message).toBeTypeOf("string");
    const confirmed = [{ interruptId: id, status: "resolved" as const, payload: { confirmed: true } }];
    const { events: last } = await workflow.run({ resume: confirmed });
    expect(theOne(last, "RUN_FINISHED").outcome).toEqual({ type: "success" });
    expect(typesOf(last)).toContain("STEP_FINISHED");
  });
});

describe("a message without an answer does not spoil the next one", () => {
  const later = async (front: ReturnType<typeof assistant>, text: string) => {
    const { events } = await front.say(text);
    expect(theOne(events, "RUN_FINISHED").outcome).toEqual({ type: "success" });
    expect(said(front.agent.messages)).toBe(`You said: ${text}`);
    return events;
  };

  test("after it has failed, twice", async () => {
    const front = assistant();
    await front.say("[[fail:no luck]]");
    await front.say("[[fail:no luck either]]");
    await later(front, "third");
  });

  test("after it was refused; the client learns that it is ignored", async () => {
    const front = assistant();
    const source = { type: "file" as const, value: "f-1", provider: "openai" };
    front.add({ id: "bad", role: "user", content: [{ type: "document", source }] });
    await expect(front.run()).rejects.toThrow("422");
    const events = await later(front, "next");
    expect(theOne(events, "CUSTOM")).toMatchObject({
      name: "messages_ignored",
      value: { messages: [{ id: "bad", reason: expect.stringContaining("document cannot be read") }] },
    });
  });

  test("after its file was refused as no model could be shown it", async () => {
    const front = assistant();
    const source = { type: "data" as const, value: "", mimeType: "application/pdf" };
    front.add({ id: "bad", role: "user", content: [{ type: "document", source }] });
    await expect(front.run()).rejects.toThrow("400");
    const events = await later(front, "next");
    expect(theOne(events, "CUSTOM")).toMatchObject({
      name: "messages_ignored",
      value: { messages: [{ id: "bad", reason: expect.stringContaining("is empty") }] },
    });
  });

  test("after its client has left before the answer", async () => {
    const front = assistant();
    const left = front.say("[[sleep:300]] never mind");
    await expect.poll(() => front.events.length).toBeGreaterThan(0);
    front.agent.abortRun();
    await left.catch(() => undefined);
    await later(front, "next");
  });

  test("after it was cancelled, in a page that was loaded again too", async () => {
    const front = assistant();
    await cancelled(front);
    const reloaded = assistant();
    reloaded.agent.threadId = front.agent.threadId;
    await reloaded.run();
    await later(reloaded, "after the reload");
    // The first page has a cancelled run's message, and knows nothing of what was said since.
    await later(front, "next");
  });

  test("an agent with an input schema is asked the last message alone", async () => {
    const front = frontEnd(platform, "/agents/order-intake/agui", "maria");
    await front.say("no order");
    const { events } = await front.say('{"customer":"Maria","items":[{"sku":"A-1","count":2}]}');
    expect(typesOf(events)).toContain("RUN_FINISHED");
  });
});

describe("the end", () => {
  test("of a run that fails is an error", async () => {
    const front = assistant();
    const { events } = await front.say("[[fail:no luck]]");
    expect(theOne(events, "RUN_ERROR").message).toContain("no luck");
  });

  test("of a run that is cancelled by its id says so", async () => {
    const front = assistant();
    const { events } = await cancelled(front);
    expect(theOne(events, "RUN_FINISHED").outcome).toEqual({ type: "cancelled" });
  });

  test.for([false, true])(
    "comes although the client has left, which can follow the run (background: %s)",
    async (background) => {
      const front = assistant();
      const runId = `run-${crypto.randomUUID()}`;
      const left = front.say("[[sleep:700]] worth the wait", { runId, forwardedProps: { background } });
      await expect.poll(() => front.events.length).toBeGreaterThan(0);
      const { run_id } = theOne(front.events, "RUN_STARTED").metadata["agent-platform"];
      front.agent.abortRun();
      await left.catch(() => undefined);
      for (const follow of [runId, run_id]) {
        const { events } = await front.run({ forwardedProps: { follow } });
        expect(theOne(events, "RUN_FINISHED").outcome).toEqual({ type: "success" });
        expect(said(front.agent.messages)).toBe("You said: worth the wait");
      }
    },
  );

  test("is the same for a request that is sent again in the background: it starts no second run", async () => {
    const maria = clientOf(platform.url, platform.token("maria", ["agents:read", "agents:run"]));
    const json = { ...inputOf("once"), forwardedProps: { background: true } };
    const answers = [await maria.post("/agents/assistant/agui", { json })];
    answers.push(await maria.post("/agents/assistant/agui", { json }));
    expect(answers.map(({ text }) => text.includes("RUN_FINISHED"))).toEqual([true, true]);
    const runs = await maria.get(`/agents/assistant/runs?session_id=${json.threadId}`);
    expect(runs.json).toHaveLength(1);
  });
});

describe("a thread", () => {
  test("is shown to a client that has lost it", async () => {
    const front = assistant();
    await front.say('[[tool:add_numbers {"a":2,"b":3}]]');
    const other = assistant();
    other.agent.threadId = front.agent.threadId;
    const { events } = await other.run();
    expect(typesOf(events)).toEqual(["RUN_STARTED", "STATE_SNAPSHOT", "MESSAGES_SNAPSHOT", "RUN_FINISHED"]);
    expect(other.agent.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
  });

  test("has its history in the session: that of the client is not read, which is said for a new one", async () => {
    const front = assistant();
    front.add({ id: "a", role: "user", content: "I am Zoe" });
    front.add({ id: "b", role: "assistant", content: "Hello Zoe" });
    const { events } = await front.say("Who am I?");
    expect(theOne(events, "CUSTOM")).toMatchObject({ name: "history_ignored", value: { messages: 2 } });
  });

  test("of another user does not exist", async () => {
    const front = assistant();
    await front.say("mine");
    const otto = clientOf(platform.url, platform.token("otto", ["agents:run"]));
    for (const text of ["", "hello"]) {
      const json = { ...inputOf(text), threadId: front.agent.threadId };
      expect((await otto.post("/agents/assistant/agui", { json })).status).toBe(404);
    }
  });
});

describe("a request", () => {
  const post = (path: string, json: unknown, scopes = ["agents:run"]) =>
    clientOf(platform.url, platform.token("maria", scopes)).post(path, { json });

  test("to the whole deployment runs its first agent, for who may run that", async () => {
    const { text } = await post("/agui", inputOf("Hello"));
    expect(text).toContain("RUN_FINISHED");
    expect((await post("/agui", inputOf("Hello"), ["teams:run"])).status).toBe(403);
    expect((await clientOf(platform.url, platform.token("maria", [])).get("/status")).json).toEqual({
      status: "available",
    });
  });

  test("that is wrong is refused like every other", async () => {
    const { threadId: _, ...without } = inputOf("Hello");
    const missing = await post("/agents/assistant/agui", without);
    expect(missing.status).toBe(422);
    expect(missing.json.detail[0].loc).toEqual(["body", "threadId"]);
    const tools = [{ name: "no spaces", description: "" }];
    expect((await post("/agents/assistant/agui", { ...inputOf("Hello"), tools })).status).toBe(422);
    expect((await post("/agents/unknown/agui", inputOf("Hello"))).status).toBe(404);
    expect((await post("/agents/assistant/agui", inputOf("Hello"), ["agents:read"])).status).toBe(403);
    expect((await post("/agents/order-intake/agui", inputOf("no JSON"))).text).toContain("RUN_ERROR");
  });
});
