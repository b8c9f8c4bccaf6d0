import { describe, expect, test } from "vitest";
import { providerDataOf } from "../../shared/engine/model/provider-data.ts";
import { addStreamPart, newStreamedAnswer } from "../../shared/engine/model/streamed-answer.ts";
import { buildPrompt } from "../../shared/engine/turn/build-prompt.ts";
import type { Message } from "../../shared/schemas/runs/run.ts";

const model = { id: "deep-1", provider: "Deep" };
const options = { deep: { signature: "sig-1" } };

/** What a model said: words, a thought with its signature, more words, a call. */
function streamedAnswer() {
  const said = newStreamedAnswer();
  const ears = { emit: () => undefined, now: () => 0, warn: () => undefined };
  addStreamPart(said, { type: "text-delta", id: "0", delta: "First " }, ears);
  addStreamPart(said, { type: "reasoning-delta", id: "1", delta: "Hm." }, ears);
  addStreamPart(said, { type: "reasoning-delta", id: "1", delta: "", providerMetadata: options }, ears);
  addStreamPart(said, { type: "text-delta", id: "2", delta: "then." }, ears);
  addStreamPart(said, { type: "tool-call", toolCallId: "c1", toolName: "add", input: "{}" }, ears);
  return said;
}
const message = (parts: Partial<Message> = {}): Message => {
  const provider_data = providerDataOf(streamedAnswer(), model);
  return {
    id: "m1",
    role: "assistant",
    content: "First then.",
    tool_calls: [{ id: "c1", type: "function", function: { name: "add", arguments: "{}" } }],
    ...(provider_data && { provider_data }),
    from_history: false,
    stop_after_tool_call: false,
    created_at: 0,
    ...parts,
  };
};
const call = { type: "tool-call", toolCallId: "c1", toolName: "add", input: {} };
const plain = [{ role: "assistant", content: [{ type: "text", text: "First then." }, call] }];

describe("an answer that asked for tools", () => {
  test("is shown to its model again in its own order, with what was attached", () => {
    expect(buildPrompt([message()], model)).toEqual([
      {
        role: "assistant",
        content: [
          { type: "text", text: "First " },
          { type: "reasoning", text: "Hm.", providerOptions: options },
          { type: "text", text: "then." },
          call,
        ],
      },
    ]);
  });

  test.each([
    ["another model", [message()], { ...model, id: "deep-2" }],
    ["another provider", [message()], { ...model, provider: "Shallow" }],
    ["a later run", [message({ from_history: true })], model],
  ])("keeps its reasoning from %s", (_who, messages, reader) => {
    expect(buildPrompt(messages, reader)).toEqual(plain);
  });

  test("is shown as it reads now when a user has changed its text", () => {
    const [shown] = buildPrompt([message({ content: "Edited, and longer than before." })], model);
    expect(shown?.content).toEqual([{ type: "text", text: "Edited, and longer than before." }, call]);
  });
});

test("an answer that asks for nothing keeps no more than its words", () => {
  const said = streamedAnswer();
  said.calls.length = 0;
  expect(providerDataOf(said, model)).toBeUndefined();
});
