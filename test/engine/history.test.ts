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
});
