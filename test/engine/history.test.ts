import { describe, expect, test } from "vitest";
import type { Message } from "../../shared/schemas/runs/run.ts";
import { anAgent, aRequest, runAgent } from "./support/run-agent.ts";

const said = (role: Message["role"], content: string): Message => ({
  id: `old-${role}`,
  role,
  content,
  from_history: false,
  stop_after_tool_call: false,
  created_at: 1,
});

describe("history", () => {
  const request = aRequest("And now?", {
    history: [said("system", "Old rules."), said("user", "Before?"), said("assistant", "Then.")],
  });

  test("stands before the question, marked, without the system messages of earlier runs", async () => {
    const agent = anAgent({ add_history_to_context: true, instructions: ["First.", "Second."] });
    const { outcome } = await runAgent("", { agent, request });
    expect(outcome.output.messages?.map(({ content, from_history }) => [content, from_history])).toEqual([
      ["- First.\n- Second.", false],
      ["Before?", true],
      ["Then.", true],
      ["And now?", false],
      ["You said: And now?", false],
    ]);
    expect(outcome.output.messages?.[1]).toMatchObject({ id: "old-user", created_at: 1 });
  });

  test("is not shown to an agent that does not ask for it", async () => {
    const { outcome } = await runAgent("", { agent: anAgent(), request });
    expect(outcome.output.messages?.map(({ role }) => role)).toEqual(["user", "assistant"]);
  });

  test("of so many messages at most begins with one of the user, or is empty", async () => {
    const history = [
      said("user", "One?"),
      said("assistant", "First."),
      said("user", "Two?"),
      { ...said("tool", "42"), tool_call_id: "c" },
      said("assistant", "Second."),
    ];
    const shown = async (num_history_messages: number) => {
      const agent = anAgent({ add_history_to_context: true, num_history_messages });
      const { outcome } = await runAgent("", { agent, request: aRequest("And now?", { history }) });
      const earlier = outcome.output.messages?.filter(({ from_history }) => from_history);
      return earlier?.map(({ content }) => content);
    };
    expect(await shown(5)).toHaveLength(5);
    expect(await shown(4)).toEqual(["Two?", "42", "Second."]);
    expect(await shown(3)).toEqual(["Two?", "42", "Second."]);
    expect(await shown(2)).toEqual([]);
  });
});
