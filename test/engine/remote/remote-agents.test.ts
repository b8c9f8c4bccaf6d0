import { once } from "node:events";
import { describe, expect, onTestFinished, test } from "vitest";
import { defineRemoteAgent, defineTeam } from "../../../shared/engine/define/index.ts";
import { isRemote } from "../../../shared/engine/define/remote-agent.ts";
import { executeSlice } from "../../../shared/engine/loop/execute-slice.ts";
import type { SlicePorts, Yielded } from "../../../shared/engine/run/execution.ts";
import { runCancelled } from "../../../shared/engine/run/next-step.ts";
import type { RunOutcome } from "../../../shared/engine/run/run-outcome.ts";
import type { RunState } from "../../../shared/engine/run/run-state.ts";
import { stateFromRun } from "../../../shared/engine/run/state-from-run.ts";
import { guardedCalls } from "../../../shared/outbound/guarded-calls.ts";
import { systemClock } from "../../../shared/runtime/clock.ts";
import type { RunEvent } from "../../../shared/schemas/runs/run-event.ts";
import { aRequest, scripted } from "../support/run-agent.ts";
import { events, rawAgent, taskOf } from "./raw-agent.ts";
import { startSampleAgent } from "./sample-agent.ts";

async function sample(options: Parameters<typeof startSampleAgent>[0] = {}) {
  const started = await startSampleAgent(options);
  onTestFinished(() => started.stop());
  return started;
}

async function raw(...given: Parameters<typeof rawAgent>) {
  const started = await rawAgent(...given);
  onTestFinished(() => started.stop());
  return started;
}

type Declared = Parameters<typeof defineRemoteAgent>[0];
const remoteOf = (card: string, more: Partial<Declared> = {}) =>
  defineRemoteAgent({ id: "partner", name: "Partner", card, retries: 0, ...more });

/** Executes a run of an agent, in JSON from one slice to the next as a worker has it. */
async function run(
  agent: Parameters<typeof executeSlice>[0],
  input: string,
  { from, host, ...more }: { from?: RunState; host?: string } & Partial<SlicePorts> = {},
) {
  const events: RunEvent[] = [];
  const checkpoints: RunState[] = [];
  let ids = 0;
  const hosts = isRemote(agent) ? [new URL(agent.remote.card).host, ...agent.remote.hosts] : [host ?? ""];
  const ports: SlicePorts = {
    models: scripted(),
    clock: systemClock,
    newId: () => `id-${++ids}`,
    signal: new AbortController().signal,
    callOut: guardedCalls(hosts),
    saveCheckpoint: async (state) => {
      checkpoints.push(JSON.parse(JSON.stringify(state)));
    },
    ...more,
    emit: (event) => {
      events.push(event);
    },
  };
  const outcome: RunOutcome | Yielded = await executeSlice(agent, aRequest(input), ports, from);
  const contents = events.flatMap((one) => (one.event === "RunContent" ? [String(one.content)] : []));
  return { outcome, events, checkpoints, contents };
}

const ended = (outcome: RunOutcome | Yielded): RunOutcome => {
  if (outcome.status === "YIELDED") throw new Error("the run has yielded");
  return outcome;
};

/** What a person's answer makes of a paused run, read back from its record. */
function answered(outcome: RunOutcome | Yielded, change: (call: object) => object): RunState {
  const { output } = ended(outcome);
  const record = JSON.parse(JSON.stringify(output));
  return stateFromRun(
    record,
    record.tools.map((call: object) => ({ ...call, ...change(call) })),
    systemClock.now(),
  );
}

const withAnswer = (outcome: RunOutcome | Yielded, answer: string) =>
  answered(outcome, (call) => {
    const { user_input_schema: fields } = call as { user_input_schema: { name: string }[] };
    return {
      answered: true,
      user_input_schema: fields.map((field) =>
        field.name === "answer" ? { ...field, value: answer } : field,
      ),
    };
  });

describe.each([
  ["1.0 that streams", {}],
  ["1.0 that does not stream", { streaming: false }],
  ["0.3 that streams", { version: "0.3" as const }],
  ["0.3 that does not stream", { version: "0.3" as const, streaming: false }],
])("an agent elsewhere by version %s", (_name, options) => {
  test("answers, and its tokens count", async () => {
    const there = await sample(options);
    const { outcome, contents } = await run(remoteOf(there.card), "hello");
    expect(ended(outcome)).toMatchObject({ status: "COMPLETED", output: { content: "Hello there" } });
    expect(contents.join("")).toBe("Hello there");
    expect(ended(outcome).output.metrics).toMatchObject({ input_tokens: 10, output_tokens: 4 });
    expect(ended(outcome).output).toMatchObject({ model: "partner", model_provider: "A2A" });
  });

  test("asks, and gets the answer in the same task", async () => {
    const there = await sample(options);
    const agent = remoteOf(there.card);
    const paused = await run(agent, "ask me");
    expect(ended(paused.outcome)).toMatchObject({
      status: "PAUSED",
      output: { tools: [{ tool_name: "answer_remote_agent", tool_args: { question: "Which city?" } }] },
    });
    const from = withAnswer(paused.outcome, "Lisbon");
    const { outcome } = await run(agent, "ask me", { from, continues: true });
    expect(ended(outcome)).toMatchObject({ status: "COMPLETED" });
    expect(ended(outcome).output.content).toMatch(/^Let me see\.\s*You said: Lisbon$/);
    const [first, second] = there.seen.messages;
    expect(second?.taskId).toBe(first?.taskId);
    expect(second?.contextId).toBe(first?.contextId);
    expect(ended(outcome).output.metrics).toMatchObject({ input_tokens: 10, output_tokens: 4 });
  });

  test("is asked once, whenever the process dies that follows it", async () => {
    const there = await sample(options);
    const agent = remoteOf(there.card);
    const { checkpoints } = await run(agent, "hello");
    const known = checkpoints.find(({ remote }) => remote?.arrived);
    for (const state of [known, known]) {
      const { outcome } = await run(agent, "hello", { ...(state && { from: state }) });
      expect(ended(outcome).output.content).toBe("Hello there");
    }
    expect(there.seen.messages).toHaveLength(1);
  });

  test("is notified when the run is cancelled", async () => {
    const there = await sample(options);
    const stop = new AbortController();
    const running = run(remoteOf(there.card), "work", {
      signal: stop.signal,
      saveCheckpoint: async ({ remote }) => {
        if (remote?.arrived) setTimeout(() => stop.abort(runCancelled()), 10);
      },
    });
    expect(ended((await running).outcome).status).toBe("CANCELLED");
    expect(there.seen.cancelled).toEqual([there.seen.messages[0]?.taskId]);
  });
});

test("a message that may have arrived before its process died is sent again only if a person wants it", async () => {
  const there = await sample({ version: "0.3" });
  const agent = remoteOf(there.card);
  there.faults.cutAfterSend = true;
  const { checkpoints } = await run(agent, "hello");
  there.faults.cutAfterSend = false;
  const [before] = checkpoints;
  expect(before?.remote).toMatchObject({ arrived: false });
  const asked = await run(agent, "hello", { ...(before && { from: before }) });
  expect(ended(asked.outcome)).toMatchObject({
    status: "PAUSED",
    output: { tools: [{ tool_name: "send_message_again", requires_confirmation: true }] },
  });
  expect(there.seen.messages).toHaveLength(1);
  const no = answered(asked.outcome, () => ({ confirmed: false }));
  const refused = await run(agent, "hello", { from: no, continues: true });
  expect(ended(refused.outcome)).toMatchObject({
    status: "ERROR",
    error: expect.stringMatching(/not sent again/),
  });
  const yes = answered(asked.outcome, () => ({ confirmed: true }));
  const { outcome } = await run(agent, "hello", { from: yes, continues: true });
  expect(ended(outcome).output.content).toBe("Hello there");
  const [first, second, ...more] = there.seen.messages;
  expect(more).toEqual([]);
  expect(second?.userMessage.messageId).toBe(first?.userMessage.messageId);
  expect(second?.userMessage.parts).toEqual(first?.userMessage.parts);
  const careless = remoteOf(there.card, { effect: "keyed" });
  const again = await run(careless, "hello", { ...(before && { from: before }) });
  expect(ended(again.outcome)).toMatchObject({ status: "COMPLETED" });
});

test("a message that has arrived is found in the list of its conversation", async () => {
  const there = await sample();
  const agent = remoteOf(there.card);
  there.faults.cutAfterSend = true;
  const { checkpoints } = await run(agent, "hello");
  there.faults.cutAfterSend = false;
  const [before] = checkpoints;
  const { outcome } = await run(agent, "hello", { ...(before && { from: before }) });
  expect(ended(outcome)).toMatchObject({ status: "COMPLETED", output: { content: "Hello there" } });
  expect(there.seen.messages).toHaveLength(1);
});

test("a stream that breaks off is resumed", async () => {
  const there = await sample();
  there.faults.breakStreams = true;
  const { outcome } = await run(remoteOf(there.card), "hello");
  expect(ended(outcome).output.content).toBe("Hello there");
  expect(there.seen.messages).toHaveLength(1);
});

test("a run whose process ends first is followed by another one", async () => {
  const there = await sample();
  const agent = remoteOf(there.card);
  const { outcome } = await run(agent, "work", { shouldYield: () => there.seen.messages.length > 0 });
  if (outcome.status !== "YIELDED") throw new Error(`the run is ${outcome.status}`);
  const stop = new AbortController();
  stop.abort(runCancelled());
  const after = await run(agent, "work", {
    from: JSON.parse(JSON.stringify(outcome.state)),
    signal: stop.signal,
  });
  expect(ended(after.outcome).status).toBe("CANCELLED");
  expect(there.seen.messages).toHaveLength(1);
  expect(there.seen.cancelled).toHaveLength(1);
});

test.each([
  ["a bearer token", { httpAuthSecurityScheme: { scheme: "Bearer" } }, "authorization", "Bearer k-12345"],
  ["an API key", { apiKeySecurityScheme: { location: "header", name: "X-Key" } }, "x-key", "k-12345"],
])("the credential is sent as the card wants it: %s", async (_name, scheme, header, value) => {
  const there = await sample({ scheme });
  const toolSecrets = {
    read: async () => ({ PARTNER_KEY: "k-12345" }),
    redact: <T>(given: T): T => JSON.parse(JSON.stringify(given).replaceAll("k-12345", "[PARTNER_KEY]")),
  };
  const agent = remoteOf(there.card, { secret: "PARTNER_KEY" });
  const { outcome } = await run(agent, "my k-12345", { toolSecrets });
  expect(there.seen.headers.at(-1)?.[header]).toBe(value);
  expect(ended(outcome).output.content).toBe("You said: my [PARTNER_KEY]");
});

test("a card that points elsewhere, and an address inside, are refused", async () => {
  const pointing = await sample({ otherHost: "127.0.0.1:9" });
  const { outcome } = await run(remoteOf(pointing.card), "hello");
  expect(ended(outcome)).toMatchObject({
    status: "ERROR",
    error: expect.stringMatching(/names the host 127.0.0.1:9/),
  });
  const inside = await run(remoteOf((await sample()).card), "hello", { callOut: guardedCalls([]) });
  expect(ended(inside.outcome)).toMatchObject({ error: expect.stringMatching(/FETCH_ALLOWED_HOSTS/) });
});

test("what fails there fails here, with the reason, and its tasks end in time", async () => {
  const there = await sample();
  const failed = await run(remoteOf(there.card), "fail");
  expect(ended(failed.outcome)).toMatchObject({
    status: "ERROR",
    error: "The task of the remote agent Partner failed: The printer is on fire",
  });
  const slow = await run(remoteOf(there.card, { timeout_seconds: 1 }), "work");
  expect(ended(slow.outcome)).toMatchObject({ status: "ERROR", cause: "timeout" });
  expect(there.seen.cancelled).toHaveLength(1);
  const direct = await run(remoteOf(there.card), "direct");
  expect(ended(direct.outcome).output.content).toBe("Just a message");
  const saveObject = async (bytes: Uint8Array) => ({ key: "k", bytes: bytes.length, sha256: "" }) as never;
  const file = await run(remoteOf(there.card), "file", { saveObject });
  expect(ended(file.outcome).output.images).toMatchObject([{ mime_type: "image/png", filename: "a.png" }]);
});

test("a request that is refused for a moment is sent again; after several failures nothing is asked for a while", async () => {
  const there = await sample();
  there.faults.refuse = 1;
  const patient = remoteOf(there.card, { retries: 1, delay_between_retries: 0 });
  expect(ended((await run(patient, "hello")).outcome).status).toBe("COMPLETED");
  there.faults.refuse = 100;
  for (let i = 0; i < 5; i += 1) await run(remoteOf(there.card), "hello");
  const asked = there.seen.headers.length;
  const { outcome } = await run(remoteOf(there.card), "hello");
  expect(ended(outcome)).toMatchObject({
    status: "ERROR",
    error: expect.stringMatching(/not asked for \d+ s/),
  });
  expect(there.seen.headers).toHaveLength(asked);
});

test("a member of a team may be elsewhere", async () => {
  const there = await sample();
  const team = defineTeam({ id: "desk", name: "Desk", members: [remoteOf(there.card)] });
  const task = '[[tool:delegate_task_to_member {"member_id":"partner","task":"hello"}]]';
  const { outcome } = await run(team, task, { host: there.host });
  expect(ended(outcome).status).toBe("COMPLETED");
  expect(JSON.stringify(ended(outcome).output.tools)).toContain("Hello there");
});

test("an answer in thousands of small pieces ends, and does not fill the memory", async () => {
  const pieces = 10_000;
  const there = await raw(async ({ send, response }) => {
    send(events.task("TASK_STATE_WORKING"));
    for (let i = 0; i < pieces; i += 1) {
      send(events.text(`${i} `.padEnd(100, "x"), i > 0));
      if (response.writableNeedDrain) await once(response, "drain");
    }
    send(events.status("TASK_STATE_COMPLETED"));
    response.end();
  });
  const { outcome, contents } = await run(remoteOf(there.card), "hello");
  expect(ended(outcome).output.content).toHaveLength(pieces * 100);
  expect(contents.join("")).toBe(ended(outcome).output.content);
});

test("what an agent says while it works is its answer where it says nothing else", async () => {
  for (const [said, answer] of [
    [["The sum ", "is ", "five."], "The sum is five."],
    [["I have looked.", "It is five."], "I have looked.\n\nIt is five."],
  ] as const) {
    const there = await raw(({ send, response }) => {
      send(events.task("TASK_STATE_SUBMITTED"));
      for (const text of said) send(events.status("TASK_STATE_WORKING", text));
      send(events.status("TASK_STATE_COMPLETED"));
      response.end();
    });
    const { outcome, contents } = await run(remoteOf(there.card), "2 + 3");
    expect(ended(outcome).output.content).toBe(answer);
    expect(contents.join("")).toBe(answer);
  }
  // An artifact, or the last status, is the answer; what was said before was about its making.
  const there = await raw(({ send, response }) => {
    send(events.task("TASK_STATE_SUBMITTED"));
    send(events.status("TASK_STATE_WORKING", "Looking."));
    send(events.status("TASK_STATE_COMPLETED", "Five."));
    response.end();
  });
  expect(ended((await run(remoteOf(there.card), "2 + 3")).outcome).output.content).toBe("Five.");
});

test("what an agent without streams said while it worked is read from its task", async () => {
  const history = [
    { messageId: "u", role: "ROLE_USER", parts: [{ text: "2 + 3" }] },
    ...["It is ", "five."].map((text, i) => ({ messageId: `a${i}`, role: "ROLE_AGENT", parts: [{ text }] })),
  ];
  const there = await raw(({ reply }) => reply({ task: taskOf("TASK_STATE_COMPLETED", { history }) }), {
    capabilities: { streaming: false },
  });
  expect(ended((await run(remoteOf(there.card), "2 + 3")).outcome).output.content).toBe("It is five.");
});

test("every piece of an answer by version 0.3 over HTTP counts", async () => {
  const ids = { taskId: "task-1", contextId: "context-1" };
  const piece = (text: string, append: boolean) => ({
    artifactUpdate: { ...ids, append, artifact: { artifactId: "answer", parts: [{ text }] } },
  });
  const there = await raw(
    ({ send, response }) => {
      send({ task: { id: ids.taskId, contextId: ids.contextId, status: { state: "TASK_STATE_SUBMITTED" } } });
      send(piece("Two ", false));
      send(piece("rooms ", true));
      send(piece("are free.", true));
      send({ statusUpdate: { ...ids, status: { state: "TASK_STATE_COMPLETED" }, final: true } });
      response.end();
    },
    {
      protocolVersion: "0.3.0",
      url: "its own",
      preferredTransport: "HTTP+JSON",
      supportedInterfaces: undefined,
    },
  );
  const { outcome, contents } = await run(remoteOf(there.card), "rooms?");
  expect(ended(outcome).output.content).toBe("Two rooms are free.");
  expect(contents).toEqual(["Two ", "rooms ", "are free."]);
});

describe("an agent whose process dies", () => {
  const hasty = { clock: { now: () => Date.now(), sleep: async () => {} } };
  const working = events.task("TASK_STATE_WORKING");

  test("after its task was done: the task is read once more", async () => {
    const done = taskOf("TASK_STATE_COMPLETED", {
      artifacts: [{ artifactId: "a", parts: [{ text: "Done." }] }],
    });
    const there = await raw(async ({ method, send, reply, response }) => {
      if (method === "GetTask") return reply(done);
      send(working);
      await new Promise((resolve) => setTimeout(resolve, 20));
      response.destroy();
    });
    expect(ended((await run(remoteOf(there.card), "hello", hasty)).outcome).output.content).toBe("Done.");
    expect(there.methods).toEqual(["SendStreamingMessage", "GetTask"]);
  });

  test("before it names a task fails the run, with the reason", async () => {
    const there = await raw(({ response }) => void response.destroy());
    const { outcome } = await run(remoteOf(there.card), "hello", hasty);
    expect(ended(outcome).output.content).toBe(
      "The remote agent Partner closed the connection before it answered.",
    );
  });

  test("and is not there any more fails the run, with the reason", async () => {
    const there = await raw(async ({ send, response }) => {
      send(working);
      await new Promise((resolve) => setTimeout(resolve, 20));
      response.destroy();
      await there.stop();
    });
    const { outcome } = await run(remoteOf(there.card), "hello", hasty);
    expect(ended(outcome)).toMatchObject({
      status: "ERROR",
      output: { content: "The remote agent Partner could not be reached." },
    });
  });

  test("and has lost what it did, though it shows the task, fails the run, with the reason", async () => {
    const there = await raw(({ method, send, reply, response }) => {
      if (method === "GetTask") return reply(taskOf("TASK_STATE_WORKING"));
      send(working);
      response.end();
    });
    const { outcome } = await run(remoteOf(there.card), "hello", hasty);
    expect(ended(outcome)).toMatchObject({
      status: "ERROR",
      output: { content: "The remote agent Partner closed the connection, and its task does not go on." },
    });
  });
});
