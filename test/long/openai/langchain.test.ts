import { type AIMessageChunk, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { describe, expect } from "vitest";
import type { RunningPlatform } from "../../support/platform.ts";
import { test } from "../../support/shared-platform.ts";

let platform: RunningPlatform;
test.beforeAll(({ platform: shared }) => {
  platform = shared;
});

const openGate = {
  type: "function" as const,
  function: {
    ...{ name: "open_gate", description: "Opens a gate." },
    parameters: { type: "object", properties: { gate: { type: "string" } } },
  },
};
const used = { output_tokens: expect.any(Number) };
const modes = [
  { mode: "chat completions", useResponsesApi: false },
  { mode: "responses", useResponsesApi: true },
];

describe.each(modes)("LangChain's ChatOpenAI, by $mode,", ({ useResponsesApi }) => {
  const model = () =>
    new ChatOpenAI({
      ...{ model: "agent:assistant", useResponsesApi, maxRetries: 0 },
      apiKey: platform.token("maria", ["agents:run"]),
      configuration: { baseURL: `${platform.url}/v1` },
    });

  test("has a text, with its usage", async () => {
    const answer = await model().invoke("Hello there");
    expect(answer.text).toBe("You said: Hello there");
    expect(answer.usage_metadata).toMatchObject(used);
  });

  test("streams a text in parts, to its end", async () => {
    const chunks: AIMessageChunk[] = [];
    for await (const chunk of await model().stream("Hello stream, in words")) chunks.push(chunk);
    expect(chunks.map(({ text }) => text).join("")).toBe("You said: Hello stream, in words");
    expect(chunks.filter(({ text }) => text !== "").length).toBeGreaterThan(1);
    expect(chunks.reduce((all, one) => all.concat(one)).usage_metadata).toMatchObject(used);
  });

  test("has a function called, and sends its result", async () => {
    const asked = new HumanMessage('[[tool:open_gate {"gate":"north"}]]');
    const bound = model().bindTools([openGate]);
    const called = await bound.invoke([asked]);
    expect(called.tool_calls).toMatchObject([{ name: "open_gate", args: { gate: "north" } }]);
    const result = new ToolMessage({ tool_call_id: called.tool_calls?.[0]?.id ?? "", content: "it is open" });
    expect((await bound.invoke([asked, called, result])).text).toContain("it is open");
  });

  test("has an answer of a schema", async () => {
    const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
    const options = { name: "place", method: "jsonSchema" as const };
    const placed = model().withStructuredOutput(schema, options);
    expect(await placed.invoke('[[answer:{"city":"Rome"}]]')).toEqual({ city: "Rome" });
  });
});
