import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { openQuestions } from "../../package/create/questions.ts";

/** What a person types, and what they are shown. */
function person(...typed: string[]) {
  const input = new PassThrough();
  const output = new PassThrough({ encoding: "utf8" });
  input.end(typed.map((line) => `${line}\n`).join(""));
  return { questions: openQuestions(input, output), shown: () => String(output.read()) };
}

const choices = { assistant: "an agent with a tool", rag: "answers from documents" };

test("a choice is made by its name, by its number, or by saying nothing", async () => {
  const { questions, shown } = person("rag", "2", "");
  const chosen = [
    await questions.choose("Template", choices, "assistant"),
    await questions.choose("Template", choices, "assistant"),
    await questions.choose("Template", choices, "assistant"),
  ];
  expect(chosen).toEqual(["rag", "rag", "assistant"]);
  expect(shown()).toContain("  1  assistant  an agent with a tool\n  2  rag        answers from documents\n");
});

test("what cannot be is said, and asked again", async () => {
  const { questions, shown } = person("chatbot", "7", "rag", "gpt", "openai:gpt");
  expect(await questions.choose("Template", choices, "assistant")).toBe("rag");
  const problemOf = (model: string) => (model.includes(":") ? undefined : "provider:id, please.");
  expect(await questions.ask("Model", "scripted:", problemOf)).toBe("openai:gpt");
  const text = shown();
  for (const sentence of ["There is no chatbot in the list.", "There is no 7 in", "provider:id, please."])
    expect(text).toContain(sentence);
});

test("whoever leaves reads that nothing was made", async () => {
  const { questions } = person();
  await expect(questions.ask("Folder", "my-agents")).rejects.toThrow("Nothing was made.");
});
