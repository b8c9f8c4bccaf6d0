import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { describe, expect, test } from "vitest";
import { createModels } from "../../shared/engine/model/create-models.ts";
import { protocols } from "../support/hostile-model/start-hostile-model.ts";
import type { Reply, Turn } from "../support/hostile-model/turn.ts";
import { useBedrockCredentials, useHostileModel } from "../support/hostile-model/use-hostile-model.ts";
import { anAgent, eventsOf, runAgent } from "./support/run-agent.ts";

useBedrockCredentials();
const hostile = useHostileModel();

const ids: Readonly<Record<string, string>> = {
  openai: "gpt-hostile",
  "openai-compatible": "hostile",
  anthropic: "claude-hostile",
  "amazon-bedrock": "amazon.nova-hostile-v1:0",
};
const modelsOf = (provider: string) => {
  const MODEL = `${provider}:${ids[provider]}`;
  return createModels({ ...hostile().environment, MODEL });
};

let plans = 0;
function plan(replies: readonly Reply[]): string {
  const name = `plan-${++plans}`;
  hostile().plan(name, replies);
  return name;
}

const callOf = (message: string) => ({
  prompt: [{ role: "user" as const, content: [{ type: "text" as const, text: message }] }],
  tools: [{ type: "function" as const, name: "add", inputSchema: { type: "object" as const } }],
});

/** What a package makes of an answer that is not streamed. */
async function generated(model: LanguageModelV4, message: string) {
  const { content, finishReason, usage } = await model.doGenerate(callOf(message));
  const textOf = (type: "text" | "reasoning") =>
    content.flatMap((part) => (part.type === type ? [part.text] : [])).join("");
  return {
    text: textOf("text"),
    reasoning: textOf("reasoning"),
    calls: content.flatMap((part) =>
      part.type === "tool-call" ? [[part.toolCallId, part.toolName, JSON.parse(part.input)]] : [],
    ),
    end: finishReason.unified,
    tokens: [usage.inputTokens.total, usage.outputTokens.total],
  };
}

/** What it makes of the same answer as a stream. */
async function streamed(model: LanguageModelV4, message: string) {
  const { stream } = await model.doStream(callOf(message));
  const parts: LanguageModelV4StreamPart[] = [];
  for await (const part of stream) parts.push(part);
  const textOf = (type: "text-delta" | "reasoning-delta") =>
    parts.flatMap((part) => (part.type === type ? [part.delta] : [])).join("");
  const finish = parts.find((part) => part.type === "finish");
  return {
    text: textOf("text-delta"),
    reasoning: textOf("reasoning-delta"),
    calls: parts.flatMap((part) =>
      part.type === "tool-call" ? [[part.toolCallId, part.toolName, JSON.parse(part.input)]] : [],
    ),
    end: finish?.finishReason.unified,
    tokens: [finish?.usage.inputTokens.total, finish?.usage.outputTokens.total],
    errors: parts.filter((part) => part.type === "error"),
  };
}

const add = { id: "call_1", name: "add", arguments: '{"a":2,"b":3}' };
const turns: readonly (readonly [string, Turn, object])[] = [
  ["a text", { text: ["It is ", "five."] }, { text: "It is five.", end: "stop", tokens: [11, 7] }],
  ["a call", { calls: [add] }, { calls: [["call_1", "add", { a: 2, b: 3 }]], end: "tool-calls" }],
  [
    "reasoning, a text and two calls",
    {
      reasoning: { text: ["I ", "add."], proof: "sig-1" },
      text: ["Well."],
      calls: [add, { ...add, id: "call_2" }],
    },
    {
      reasoning: "I add.",
      text: "Well.",
      calls: [
        ["call_1", "add", { a: 2, b: 3 }],
        ["call_2", "add", { a: 2, b: 3 }],
      ],
    },
  ],
  ["an answer that is cut", { text: ["Half"], end: "length" }, { text: "Half", end: "length" }],
  ["a filtered answer", { text: [], end: "content_filter" }, { text: "", end: "content-filter" }],
];

describe.each(protocols.map(({ provider }) => provider))("the hostile model as %s", (provider) => {
  test.each(turns)("says %s to the provider's own package, whole and streamed", async (_, turn, expected) => {
    const { model } = await modelsOf(provider).resolve();
    const whole = await generated(model, plan([turn]));
    expect(whole).toMatchObject(expected);
    expect(await streamed(model, plan([turn]))).toEqual({ ...whole, errors: [] });
  });

  test.each([429, 500, 503, 529])("refuses with status %s and a message", async (status) => {
    const { model } = await modelsOf(provider).resolve();
    const fails = { kind: "status" as const, status, message: "not now" };
    await expect(model.doGenerate(callOf(plan([{ fails }])))).rejects.toMatchObject({
      statusCode: status,
      message: expect.stringContaining("not now"),
    });
  });
});

describe.each(protocols.map(({ provider }) => provider))("a run of %s", (provider) => {
  const runOn = (...replies: Reply[]) =>
    runAgent(plan(replies), { agent: anAgent({ max_output_tokens: 100 }), models: modelsOf(provider) });

  test.each([
    ["is cut at its limit", { text: ["Half"], end: "length" }, "length", "Half"],
    ["is filtered", { text: ["Half"], end: "content_filter" }, "content-filter", "Half"],
  ] as const)("whose answer %s says so on run, message and events", async (_, turn, reason, content) => {
    const run = await runOn(turn);
    expect(run.outcome.output).toMatchObject({ status: "COMPLETED", content, finish_reason: reason });
    expect(run.outcome.output.messages?.at(-1)).toMatchObject({ finish_reason: reason });
    expect(eventsOf(run, "ModelRequestCompleted")[0]).toMatchObject({ finish_reason: reason });
    expect(eventsOf(run, "RunCompleted")[0]).toMatchObject({ finish_reason: reason });
  });

  test("asks at the agent's temperature, and at none where the agent names none", async () => {
    const name = `plan-${++plans}`;
    const { requests } = hostile().plan(name, () => ({ text: ["All."] }));
    // Of a model that it does not know, Anthropic's package sends no temperature.
    const MODEL = `${provider}:${provider === "anthropic" ? "claude-haiku-4-5" : ids[provider]}`;
    const models = createModels({ ...hostile().environment, MODEL });
    for (const parts of [{ temperature: 0.2 }, {}]) await runAgent(name, { agent: anAgent(parts), models });
    const asked = requests.map(({ body }) => JSON.stringify(body).match(/"temperature":([\d.]+)/)?.[1]);
    expect(asked).toEqual(["0.2", undefined]);
  });

  test("whose answer the model ended has no such reason", async () => {
    const { outcome } = await runOn({ text: ["All."] });
    expect(outcome.output).not.toHaveProperty("finish_reason");
  });

  test("whose whole answer is filtered fails by that name", async () => {
    const run = await runOn({ text: [], end: "content_filter" });
    expect(run.outcome).toMatchObject({ status: "ERROR", cause: "input" });
    expect(run.events.at(-1)).toMatchObject({ event: "RunError", error_type: "content_filter" });
  });

  const isAnthropic = provider === "anthropic";

  // Its package refuses the whole answer where the first chunk cannot be read; nothing has been said then.
  test.skipIf(isAnthropic)("whose token counts are no numbers is whole, and said once", async () => {
    const usage = { input: "many", output: "more" };
    const run = await runOn({ text: ["It is ", "five."], usage });
    expect(run.outcome.output).toMatchObject({ status: "COMPLETED", content: "It is five." });
    expect(run.outcome.output).toMatchObject({ metrics: { usage_estimated: true } });
    const cut = await runOn({ text: ["Half"], end: "length", usage });
    expect(cut.outcome.output).toMatchObject({
      status: "COMPLETED",
      content: "Half",
      finish_reason: "length",
    });
  });

  test("of which only the last token counts are no numbers is whole", async () => {
    const run = await runOn({ text: ["It is ", "five."], usage: { input: 11, output: "more" } });
    expect(run.outcome.output).toMatchObject({ status: "COMPLETED", content: "It is five." });
  });
});
