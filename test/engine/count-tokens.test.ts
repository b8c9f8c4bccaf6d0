import { describe, expect, test } from "vitest";
import { countedUsage, countTokens, mostTokens } from "../../shared/engine/model/count-tokens.ts";
import { noUsage } from "../../shared/engine/model/usage.ts";

const gpt = { provider: "OpenAI", id: "gpt-5" };
const english = "The quick brown fox jumps over the lazy dog. ";

const callOf = (text: string) => ({
  prompt: [{ role: "user" as const, content: [{ type: "text" as const, text }] }],
  answer: "",
  calls: [],
});

describe("the tokens of a text", () => {
  test("are counted by the tokenizer of the model's family", async () => {
    expect(await countTokens("Hello, world!", gpt)).toBe(4);
    expect(await mostTokens("Hello, world!", gpt)).toBe(4);
    expect(await countTokens("a <|endoftext|> b", gpt)).toBeGreaterThan(3);
  });
  test("are counted in pieces, so that no text takes for ever", async () => {
    const tokens = await countTokens("x".repeat(50_000), gpt);
    expect(tokens).toBeGreaterThan(6_000);
    expect(tokens).toBeLessThan(7_000);
  });
  test("are at most its bytes where nothing of the model was measured, and a third of them in an estimate", async () => {
    const unknown = { provider: "Anthropic", id: "never-called" };
    expect(await mostTokens(english, unknown)).toBe(english.length);
    expect(await countTokens(english, unknown)).toBe(15);
  });
  test("are measured by what the model's service has counted", async () => {
    const measured = { provider: "Anthropic", id: "measured" };
    const text = english.repeat(100);
    await countedUsage({ ...noUsage, input_tokens: 1_000, output_tokens: 1 }, callOf(text), measured);
    const most = await mostTokens(text, measured);
    expect(most).toBeGreaterThan(1_000);
    expect(most).toBeLessThan(1_300);
  });
  test("never become too few by a service that counts wrongly", async () => {
    const wrong = { provider: "Anthropic", id: "wrong" };
    await countedUsage({ ...noUsage, input_tokens: 1, output_tokens: 1 }, callOf(english.repeat(100)), wrong);
    expect(await mostTokens(english.repeat(8), wrong)).toBeGreaterThan(english.length);
  });
});
