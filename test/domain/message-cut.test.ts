import { describe, expect, test } from "vitest";
import { messageCut, wholePart } from "../../shared/domain/runs/message-cut.ts";
import type { Message } from "../../shared/schemas/runs/run.ts";

const message = (role: Message["role"], changed: Partial<Message> = {}): Message => ({
  id: role,
  role,
  content: role,
  from_history: false,
  stop_after_tool_call: false,
  created_at: 1,
  ...changed,
});
const asks = (...ids: string[]) =>
  message("assistant", {
    tool_calls: ids.map((id) => ({ id, type: "function", function: { name: "f", arguments: "{}" } })),
  });
const answers = (tool_call_id: string) => message("tool", { tool_call_id });
const talk = [
  message("system"),
  message("user"),
  asks("a", "b"),
  answers("a"),
  answers("b"),
  message("assistant"),
];

describe("where a conversation is cut", () => {
  test.each([
    ["end", 6],
    ["last_user", 2],
    [0, 0],
    [6, 6],
    [-1, 5],
    [-6, 0],
  ] as const)("%s keeps %i messages", (from, kept) => {
    expect(messageCut(talk, from)).toBe(kept);
  });

  test.each([7, -7])("at %i there is nothing", (from) => {
    expect(() => messageCut(talk, from)).toThrow("6 messages");
  });

  test("a conversation without a user has no last one", () => {
    expect(() => messageCut([message("system")], "last_user")).toThrow("no user message");
  });
});

describe("the whole part", () => {
  test.each([
    [3, 2],
    [4, 2],
    [5, 5],
    [6, 6],
  ])("of the first %i messages are %i: no call without its result", (cut, whole) => {
    expect(wholePart(talk, cut)).toEqual(talk.slice(0, whole));
  });
});
