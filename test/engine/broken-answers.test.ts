import { describe, expect, test } from "vitest";
import { createModels } from "../../shared/engine/model/create-models.ts";
import { withIdleLimits } from "../../shared/engine/model/idle-limit.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import type { RunOutput } from "../../shared/schemas/runs/run.ts";
import type { Reply } from "../support/hostile-model/turn.ts";
import { useHostileModel } from "../support/hostile-model/use-hostile-model.ts";
import { anAgent, aTool, eventsOf, type How, runAgent, tickingClock } from "./support/run-agent.ts";

const hostile = useHostileModel();

let plans = 0;
async function runOver(replies: readonly Reply[], how: How = {}, env: Record<string, number | string> = {}) {
  const name = `plan-broken-${++plans}`;
  const { requests } = hostile().plan(name, replies);
  const run = await runAgent(name, {
    agent: anAgent({ retries: 2, delay_between_retries: 1 }),
    models: createModels({ ...hostile().environment, MODEL: "openai-compatible:hostile", ...env }),
    clock: { ...tickingClock(), sleep: async () => undefined },
    ...how,
  });
  const { output } = run.outcome;
  const deltas = eventsOf(run, "RunContent").map(({ content }) => content);
  return { ...run, output, requests, streamed: deltas.join("") };
}

type Sent = { readonly role: string; readonly content: unknown };

/** The texts of the messages that a request holds. */
function sent(request: { readonly body: Readonly<Record<string, unknown>> } | undefined) {
  const messages = (request?.body.messages ?? []) as Sent[]; // as the protocol has it
  return messages.map(({ role, content }) => [role, content]);
}

const cut = (after_deltas: number) => ({ kind: "cut", after_deltas }) as const;
const assistants = ({ messages = [] }: RunOutput) => messages.filter(({ role }) => role === "assistant");

describe("an answer that breaks off after its first token", () => {
  test("is continued, and the whole is one message and the content", async () => {
    const run = await runOver([{ text: ["It ", "is ", "five."], fails: cut(2) }, { text: ["five."] }]);
    expect(run.output).toMatchObject({ status: "COMPLETED", content: "It is five." });
    expect(run.streamed).toBe("It is five.");
    expect(assistants(run.output)).toMatchObject([{ content: "It is five." }]);
    expect(sent(run.requests[1]).slice(-2)).toEqual([
      ["assistant", "It is "],
      ["user", expect.stringMatching(/^Your answer broke off\./)],
    ]);
  });

  test("is not begun again where retries are switched off: what arrived stays the content, beside the error", async () => {
    const agent = anAgent({ retries: 0 });
    const run = await runOver([{ text: ["It ", "is "], fails: cut(1) }], { agent });
    const error = "The model service could not be reached or understood.";
    expect(run.output).toMatchObject({ status: "ERROR", content: "It ", error });
    expect(eventsOf(run, "RunError")).toMatchObject([{ content: error }]);
    expect(run.requests).toHaveLength(1);
  });

  test("is continued three times at most", async () => {
    const run = await runOver(
      ["a", "b", "c", "d", "e"].map((text) => ({ text: [text, "!"], fails: cut(1) })),
    );
    expect(run.output).toMatchObject({ status: "ERROR", content: "abcd" });
    expect(run.streamed).toBe("abcd");
    expect(run.requests).toHaveLength(4);
  });

  test("calls no tool of the part that arrived, and those of the rest once", async () => {
    const { tool, seen } = aTool();
    const call = (id: string) => ({ id, name: "add", arguments: '{"a":2,"b":3}' });
    const agent = anAgent({ retries: 2, tools: [tool] });
    const run = await runOver(
      [{ text: ["I add. "], calls: [call("a")], fails: cut(2) }, { calls: [call("b")] }, { text: ["Five."] }],
      { agent },
    );
    expect(run.output).toMatchObject({ status: "COMPLETED", content: "I add. Five." });
    expect(seen).toHaveLength(1);
    expect(assistants(run.output)).toMatchObject([
      { content: "I add. ", tool_calls: [{ id: "b" }] },
      { content: "Five." },
    ]);
  });
});

describe("an empty answer", () => {
  test("is asked for once more", async () => {
    const run = await runOver([{ text: [] }, { text: ["Five."] }]);
    expect(run.output).toMatchObject({ status: "COMPLETED", content: "Five." });
    // What the first call used counts too.
    expect(run.output.metrics).toMatchObject({ input_tokens: 22, output_tokens: 14 });
  });
  test("that stays empty fails the run", async () => {
    const run = await runOver([{ text: [] }, { text: [] }, { text: ["never"] }]);
    expect(run.outcome).toMatchObject({
      status: "ERROR",
      cause: "model",
      output: { content: "The model gave an empty answer, also when it was asked again." },
    });
    expect(run.requests).toHaveLength(2);
  });
  test("of a model that used up its output says so", async () => {
    const run = await runOver([{ text: [], end: "length" }]);
    expect(run.output).toMatchObject({
      status: "ERROR",
      content: "The model reached the limit of its output before it answered.",
      finish_reason: "length",
    });
  });
});

async function* pings() {
  for (;;) {
    await systemClock.sleep(20, new AbortController().signal);
    yield { type: "raw" as const, rawValue: { type: "ping" } };
  }
}

describe("a model that is silent", () => {
  const limits = { MODEL_FIRST_TOKEN_SECONDS: 0.2, MODEL_SILENCE_SECONDS: 0.2 };
  test("before it begins is called again", async () => {
    const run = await runOver([{ fails: { kind: "silence" } }, { text: ["Five."] }], {}, limits);
    expect(run.output).toMatchObject({ status: "COMPLETED", content: "Five." });
  });
  test("within its answer is asked to go on, over a connection of its own", async () => {
    const silence = { kind: "silence", after_deltas: 1 } as const;
    const run = await runOver([{ text: ["It ", "is"], fails: silence }, { text: ["is five."] }], {}, limits);
    expect(run.output).toMatchObject({ status: "COMPLETED", content: "It is five." });
    expect(run.requests[0]?.isLeft()).toBe(true);
  });
  test("every time fails the run, which says for how long", async () => {
    const agent = anAgent({ retries: 0 });
    const run = await runOver([{ fails: { kind: "silence" } }], { agent }, limits);
    expect(run.output).toMatchObject({ status: "ERROR", content: "The model was silent for 0.2 seconds." });
  });
  test("is silent too while its service sends chunks that say nothing", async () => {
    const { model } = await createModels({ MODEL: "scripted" }).resolve();
    const pinging = Object.assign(Object.create(model), {
      doStream: async () => ({
        stream: ReadableStream.from(pings()),
      }),
    });
    const limits = { first: 0.1, between: 0.1 };
    const { stream } = await withIdleLimits(pinging, limits, systemClock).doStream({ prompt: [] });
    const read = async () => {
      for await (const part of stream) if (part.type !== "raw") return part;
    };
    await expect(read()).rejects.toThrow("silent for 0.1 seconds");
  });
  test("for less than that is waited for", async () => {
    const slow = { kind: "slow", ms: 60 } as const;
    const run = await runOver([{ text: ["1 ", "2 ", "3 ", "4 ", "5"], fails: slow }], {}, limits);
    expect(run.output).toMatchObject({ status: "COMPLETED", content: "1 2 3 4 5" });
  });
});

describe("tokens that the service does not count, or counts wrongly", () => {
  test.each([
    ["none", "none"],
    ["less than nothing", { input: -5, output: -7 }],
    ["nothing", { input: 0, output: 0 }],
    ["more than there can be", { input: 1e15, output: 1e15 }],
  ] as const)("are counted here: %s", async (_, usage) => {
    const models = createModels({ ...hostile().environment, MODEL: "openai-compatible:gpt-hostile" });
    const run = await runOver([{ text: ["It is five, and no more."], usage }], { models });
    expect(run.output.metrics).toMatchObject({ usage_estimated: true, output_tokens: 8 });
    const { input_tokens = 0 } = run.output.metrics ?? {};
    expect(input_tokens).toBeGreaterThan(20);
    expect(input_tokens).toBeLessThan(100);
    expect(eventsOf(run, "ModelRequestCompleted")).toMatchObject([{ usage_estimated: true, input_tokens }]);
  });
  test("are not marked where the service has counted them", async () => {
    const run = await runOver([{ text: ["Five."] }]);
    expect(run.output.metrics).not.toHaveProperty("usage_estimated");
  });
});

test("what a service has called itself is no call of the agent's: its answer is whole", async () => {
  const usage = { input_tokens: 31, output_tokens: 9 };
  const search = {
    type: "web_search_call",
    id: "ws_1",
    status: "completed",
    action: { type: "search", query: "boats" },
  };
  const message = { type: "message", id: "msg_1", role: "assistant", status: "completed" };
  const events = [
    { type: "response.created", response: { id: "resp_1", created_at: 1_760_000_000, model: "gpt-hostile" } },
    { type: "response.output_item.added", output_index: 0, item: { ...search, status: "in_progress" } },
    { type: "response.output_item.done", output_index: 0, item: search },
    { type: "response.output_item.added", output_index: 1, item: { ...message, content: [] } },
    {
      type: "response.output_text.delta",
      item_id: "msg_1",
      output_index: 1,
      content_index: 0,
      delta: "Boats float.",
    },
    {
      type: "response.output_item.done",
      output_index: 1,
      item: { ...message, content: [{ type: "output_text", text: "Boats float.", annotations: [] }] },
    },
    { type: "response.completed", response: { id: "resp_1", usage } },
  ];
  const bytes = Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
  const { output, requests, streamed } = await runOver(
    [{ recorded: { contentType: "text/event-stream", bytes } }],
    {},
    { MODEL: "openai:gpt-hostile" },
  );
  expect(output).toMatchObject({ status: "COMPLETED", content: "Boats float.", metrics: usage });
  expect([streamed, output.tools ?? [], requests.length]).toEqual(["Boats float.", [], 1]);
});
