import { expect, test } from "vitest";
import { askedOf, dependenciesOf, newMessages, userInput } from "../../shared/agui/input-of.ts";
import { openInterrupts } from "../../shared/pauses/open-interrupts.ts";
import type { AguiMessage, RunAgentInput } from "../../shared/schemas/agui/run-agent-input.ts";
import type { StoredRun } from "../../shared/stores/runs/run-item.ts";

const user = (id: string, content: AguiMessage["content"]): AguiMessage => ({ id, role: "user", content });
const assistant: AguiMessage = { id: "a", role: "assistant", content: "hello" };
const result: AguiMessage = { id: "t", role: "tool", toolCallId: "r1:c1", content: "5" };

test("what comes after the last message of the assistant is new", () => {
  const { users, results } = newMessages([user("1", "old"), assistant, result, user("2", "new")]);
  expect([users.map(({ id }) => id), results.map(({ id }) => id)]).toEqual([["2"], ["t"]]);
  expect(newMessages([user("1", "old"), assistant])).toEqual({ users: [], results: [] });
  expect(newMessages([])).toEqual({ users: [], results: [] });
});

test("a run is asked what is newer than the last message that the thread knows", () => {
  const users = ["1", "2", "3", "4"].map((id) => user(id, `question ${id}`));
  const idsBehind = (...known: string[]) =>
    askedOf(users, (id) => known.includes(id)).asked.map(({ id }) => id);
  expect(idsBehind()).toEqual(["1", "2", "3", "4"]);
  expect(idsBehind("1", "2")).toEqual(["3", "4"]);
  expect(idsBehind("3")).toEqual(["4"]);
  // A repetition of the last one asks it again, and nothing else.
  expect(idsBehind("1", "2", "3", "4")).toEqual(["4"]);
});

test("an earlier message that cannot be read is ignored with its reason; the last one is refused", () => {
  const unreadable = user("1", [{ type: "document", source: { type: "file", value: "f-1" } }]);
  const { asked, ignored } = askedOf([unreadable, user("2", "next")], () => false);
  expect(asked.map(({ id }) => id)).toEqual(["2"]);
  expect(ignored).toEqual([{ id: "1", reason: expect.stringContaining("document cannot be read") }]);
  expect(askedOf([user("2", "first"), unreadable], () => false).asked.map(({ id }) => id)).toEqual([
    "2",
    "1",
  ]);
});

test("an earlier message that a run would be refused for is ignored too", () => {
  const users = [user("1", "a"), user("2", "b"), user("3", "c")];
  const { asked, ignored } = askedOf(
    users,
    () => false,
    ({ id }) => (id === "2" || id === "3" ? "too odd" : undefined),
  );
  expect(asked.map(({ id }) => id)).toEqual(["1", "3"]);
  expect(ignored).toEqual([{ id: "2", reason: "too odd" }]);
});

test("parts of a message are text and files, by address or by content", () => {
  const parts: AguiMessage["content"] = [
    { type: "text", text: "Look:" },
    { type: "image", source: { type: "url", value: "https://example.com/a.png", mimeType: "image/png" } },
    {
      type: "document",
      source: { type: "data", value: "data:application/pdf;base64,AAAA", mimeType: "application/pdf" },
    },
    { type: "binary", data: "BBBB", mimeType: "audio/wav", filename: "a.wav" },
  ];
  expect(userInput([user("1", parts), user("2", "And?")])).toEqual({
    message: "Look:\n\nAnd?",
    images: [{ mime_type: "image/png", url: "https://example.com/a.png" }],
    input_files: [{ mime_type: "application/pdf", content: "AAAA" }],
    audio: [{ mime_type: "audio/wav", filename: "a.wav", content: "BBBB" }],
  });
});

test("a data URL is content wherever it stands, and a file has its name from the part's metadata too", () => {
  const parts: AguiMessage["content"] = [
    { type: "video", source: { type: "url", value: "data:video/mp4;base64,AAAA" } },
    { type: "binary", url: "https://example.com/b.pdf", mimeType: "application/pdf" },
    {
      type: "document",
      source: { type: "data", value: "Q0NDQw==", mimeType: "text/csv" },
      metadata: { filename: "c.csv" },
    },
  ];
  expect(userInput([user("1", parts)])).toEqual({
    message: "",
    videos: [{ mime_type: "video/mp4", content: "AAAA" }],
    input_files: [
      { mime_type: "application/pdf", url: "https://example.com/b.pdf" },
      { mime_type: "text/csv", filename: "c.csv", content: "Q0NDQw==" },
    ],
  });
});

test.for([
  { type: "document", source: { type: "file", value: "file-1", provider: "openai" } },
  { type: "binary", id: "file-1", mimeType: "image/png" },
  { type: "image", source: { type: "url", value: "file:///etc/passwd" } },
  { type: "image", source: { type: "data", value: "no base64!", mimeType: "image/png" } },
  { type: "image", source: { type: "data" } },
] as const)("a part whose file cannot be read is refused (%#)", (part) => {
  expect(() => userInput([user("1", [{ type: "text", text: "Look:" }, part as never])])).toThrow(
    "cannot be read",
  );
});

test("context is read by its descriptions, and JSON in it as such", () => {
  const context = [
    { description: "page", value: '{"a":1}' },
    { description: "", value: "plain" },
  ];
  expect(dependenciesOf({ context } as RunAgentInput)).toEqual({ page: { a: 1 }, context_2: "plain" });
});

test("what a workflow waits for is an interrupt of its own for each step", () => {
  const step = {
    ...{ step_id: "s1", step_name: "publish", is_post_execution: false },
    ...{ requires_confirmation: true, requires_output_review: false, requires_user_input: false },
    ...{ requires_route_selection: true, available_choices: ["a", "b"], selected_choices: null },
    ...{
      confirmed: null,
      user_input: null,
      timeout_at: "2026-01-01T00:00:00Z",
      confirmation_message: "Now?",
    },
  };
  const failure = { step_id: "s2", step_name: "send", error_message: "no post", decision: null };
  const output = { step_requirements: [step], error_requirements: [failure] };
  const [asked, failed] = openInterrupts({ run_id: "r1", kwargs: {}, output } as unknown as StoredRun);
  expect(asked?.interrupt).toMatchObject({
    ...{ id: "r1:step:s1", reason: "confirmation", message: "Now?", expiresAt: "2026-01-01T00:00:00Z" },
    responseSchema: { required: ["confirmed", "selected_choices"] },
  });
  expect(asked?.answer({ confirmed: true, selected_choices: ["a"] })).toEqual({
    step_requirements: [
      { step_id: "s1", is_post_execution: false, confirmed: true, selected_choices: ["a"] },
    ],
  });
  expect(asked?.answer({ confirmed: true })).toBeUndefined();
  expect(asked?.refuse()).toMatchObject({ step_requirements: [{ confirmed: false }] });
  expect(failed?.answer({ decision: "retry" })).toEqual({
    step_requirements: [{ step_id: "s2", decision: "retry" }],
  });
  expect([failed?.answer("perhaps"), failed?.refuse()]).toEqual([undefined, undefined]);
});
