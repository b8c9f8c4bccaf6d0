import { createOpenAI } from "@ai-sdk/openai";
import { describe, expect } from "vitest";
import type { RunningPlatform } from "../../support/platform.ts";
import { test } from "../../support/shared-platform.ts";

let platform: RunningPlatform;
test.beforeAll(({ platform: shared }) => {
  platform = shared;
});

/** The AI SDK's own model for this interface, as its functions `generateText` and `streamText` call it. */
const model = () => {
  const provider = createOpenAI({
    baseURL: `${platform.url}/v1`,
    apiKey: platform.token("maria", ["agents:run"]),
    headers: { "X-Session-Id": `ai-sdk-${crypto.randomUUID()}` },
  });
  return provider.chat("agent:assistant");
};
type Options = Parameters<ReturnType<typeof model>["doGenerate"]>[0];
const ask = (text: string): Options["prompt"] => [{ role: "user", content: [{ type: "text", text }] }];
const tools: Options["tools"] = [
  {
    type: "function",
    name: "open_gate",
    inputSchema: { type: "object", properties: { gate: { type: "string" } } },
  },
];

describe("the AI SDK's chat model", () => {
  test("generates a text, with its usage", async () => {
    const { content, finishReason, usage } = await model().doGenerate({ prompt: ask("Hello there") });
    expect(content).toMatchObject([{ type: "text", text: expect.stringContaining("Hello there") }]);
    expect(finishReason.unified).toBe("stop");
    expect(usage.outputTokens.total).toBeGreaterThan(0);
  });

  test("streams a text to its end", async () => {
    const { stream } = await model().doStream({ prompt: ask("Hello there, in words") });
    let text = "";
    const types = new Set<string>();
    for await (const part of stream) {
      types.add(part.type);
      if (part.type === "text-delta") text += part.delta;
    }
    expect(text).toContain("Hello there, in words");
    expect([...types]).toEqual(expect.arrayContaining(["text-start", "text-end", "finish"]));
    expect(types).not.toContain("error");
  });

  test.each([false, true])(
    "has a function called, and sends its result (streamed: %s)",
    async (isStreamed) => {
      const chat = model();
      const question = ask('[[tool:open_gate {"gate":"north"}]]');
      const calls = isStreamed
        ? await streamedCalls(chat, { prompt: question, tools })
        : (await chat.doGenerate({ prompt: question, tools })).content.filter(
            (part) => part.type === "tool-call",
          );
      const [call] = calls;
      if (!call) throw new Error("no function was called");
      expect(call).toMatchObject({ toolName: "open_gate", input: '{"gate":"north"}' });
      const { toolCallId, toolName } = call;
      const { content } = await chat.doGenerate({
        tools,
        prompt: [
          ...question,
          {
            role: "assistant",
            content: [{ type: "tool-call", toolCallId, toolName, input: { gate: "north" } }],
          },
          {
            role: "tool",
            content: [
              { type: "tool-result", toolCallId, toolName, output: { type: "text", value: "it is open" } },
            ],
          },
        ],
      });
      expect(content).toMatchObject([{ type: "text", text: expect.stringContaining("it is open") }]);
    },
  );
});

async function streamedCalls(chat: ReturnType<typeof model>, options: Options) {
  const calls = [];
  const { stream } = await chat.doStream(options);
  for await (const part of stream) if (part.type === "tool-call") calls.push(part);
  return calls;
}
