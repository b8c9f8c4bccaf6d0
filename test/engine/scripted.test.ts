import type { LanguageModelV4Prompt, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { describe, expect, test } from "vitest";
import { parseScript } from "../../shared/engine/model/parse-script.ts";
import { createScriptedModel } from "../../shared/engine/model/scripted-model.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { collect } from "./support/collect.ts";

const asking = (text: string): LanguageModelV4Prompt => [{ role: "user", content: [{ type: "text", text }] }];

async function partsFor(text: string, abortSignal?: AbortSignal): Promise<LanguageModelV4StreamPart[]> {
  const model = createScriptedModel(systemClock.sleep);
  const { stream } = await model.doStream({ prompt: asking(text), ...(abortSignal && { abortSignal }) });
  return collect(stream);
}

const textOf = (parts: readonly LanguageModelV4StreamPart[]) =>
  parts.flatMap((part) => (part.type === "text-delta" ? [part.delta] : []));

describe("the directives of a message", () => {
  test("a tool call or a failure ends a model call", () => {
    const { calls } = parseScript('[[sleep:5]][[tool:a {"x":1}]] [[tool:b]][[fail:no]][[tokens:2]]');
    expect(calls).toEqual([
      [
        { do: "sleep", ms: 5 },
        { do: "tool", name: "a", input: '{"x":1}' },
      ],
      [{ do: "tool", name: "b", input: "{}" }],
      [{ do: "fail", text: "no" }],
      [{ do: "tokens", count: 2 }],
    ]);
  });

  test("arguments may hold closing brackets", () => {
    const { calls, text } = parseScript('[[tool:a {"x":[[1]],"y":"]]"}]] rest');
    expect(calls[0]).toEqual([{ do: "tool", name: "a", input: '{"x":[[1]],"y":"]]"}' }]);
    expect(text).toBe("rest");
  });

  test.each(["[[1,2],[3]]", "[[sleep:soon]]", "[[tool:a", "[[dance:now]]", "[[[["])(
    "%s is none, so it is text",
    (text) => {
      expect(parseScript(text)).toEqual({ calls: [[]], text });
    },
  );
});

describe("the scripted model", () => {
  test("answers plain text in a few deltas", async () => {
    const deltas = textOf(await partsFor("one two three four five six seven"));
    expect(deltas.join("")).toBe("You said: one two three four five six seven");
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.length).toBeLessThanOrEqual(4);
  });

  test("streams as many words as asked", async () => {
    const deltas = textOf(await partsFor("[[tokens:500]]"));
    expect(deltas).toHaveLength(500);
    expect(deltas.join("").split(" ")).toHaveLength(500);
  });

  test("reasons before it answers, and counts that apart", async () => {
    const parts = await partsFor("[[think:One and one is two.]] hello");
    expect(textOf(parts).join("")).toBe("You said: hello");
    const thought = parts.flatMap((part) => (part.type === "reasoning-delta" ? [part.delta] : []));
    expect(thought.join("")).toBe("One and one is two.");
    expect(parts.at(-1)).toMatchObject({ usage: { outputTokens: { total: 8, text: 3, reasoning: 5 } } });
  });

  test("says the same every time", async () => {
    expect(await partsFor("hello [[tokens:4]]")).toEqual(await partsFor("hello [[tokens:4]]"));
  });

  test("sleeps before it answers", async () => {
    const slept: number[] = [];
    const model = createScriptedModel(async (ms) => void slept.push(ms));
    const { stream } = await model.doStream({ prompt: asking("[[sleep:250]] hi") });
    expect(textOf(await collect(stream)).join("")).toBe("You said: hi");
    expect(slept).toEqual([250]);
  });

  test("stops sleeping when it is aborted", async () => {
    const reason = new Error("enough");
    await expect(partsFor("[[sleep:3600000]]", AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  test("generates at once what it would stream", async () => {
    const model = createScriptedModel(systemClock.sleep);
    const call = await model.doGenerate({ prompt: asking('[[tool:add {"a":1}]]') });
    expect(call.content).toMatchObject([{ type: "tool-call", toolName: "add", input: '{"a":1}' }]);
    const answer = await model.doGenerate({ prompt: asking("hi") });
    expect(answer).toMatchObject({
      content: [{ type: "text", text: "You said: hi" }],
      usage: { inputTokens: { total: 1 }, outputTokens: { total: 3 } },
    });
    await expect(model.doGenerate({ prompt: asking("[[fail:no]]") })).rejects.toThrow("no");
  });
});
