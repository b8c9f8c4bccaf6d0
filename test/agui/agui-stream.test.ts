import { verifyEvents } from "@ag-ui/client";
import { type Event, EventType } from "@ag-ui/core";
import { from, lastValueFrom, toArray } from "rxjs";
import { describe, expect, test } from "vitest";
import { aguiComponentOf } from "../../functions/runs/agui/agui-component-of.ts";
import { aguiStream } from "../../shared/agui/agui-stream.ts";
import type { RecordedEvent } from "../../shared/schemas/runs/run-event.ts";
import type { StoredRun } from "../../shared/stores/runs/run-item.ts";

const of = {
  ...{ run_id: "r1", session_id: "s1", runId: "front-1", messages: [] },
  ...{ shownCalls: new Set<string>(), answeredCalls: new Set<string>(), takesParts: true },
};
const record = { run_id: "r1", status: "COMPLETED", output: { session_state: {} } } as unknown as StoredRun;

/** The events of a run as its stream carries them; the official client refuses what breaks the rules of the protocol. */
async function streamed(events: readonly object[], end: object = { event: "RunCompleted", content: "" }) {
  const stream = aguiStream(of);
  const base = {
    run_id: "r1",
    session_id: "s1",
    agent_id: "a",
    agent_name: "A",
    nested_depth: 0,
    created_at: 0,
  };
  const recorded = [...events, end].map((event, event_index) => ({
    ...base,
    event_index,
    ...event,
  })) as RecordedEvent[];
  const last = recorded.pop() as RecordedEvent;
  const sent = [...stream.opening({}), ...recorded.flatMap(stream.of), ...stream.end(last, record)];
  return (await lastValueFrom(from(sent as never[]).pipe(verifyEvents(), toArray()))) as unknown as Event[];
}

const types = (events: readonly Event[]) => events.slice(2).map(({ type }) => type);
const content = (text: string, reasoning_content = "") => ({
  event: "RunContent",
  content: text,
  reasoning_content,
});
const tool = (tool_call_id: string) => ({ tool_call_id, tool_name: "t", tool_args: {}, result: "done" });
const member = { run_id: "r2", parent_run_id: "r1", agent_name: "Member" };

describe("the events of a run", () => {
  test("reasoning ends before the text begins, and a call ends the text", async () => {
    const events = await streamed([
      content("", "thinking"),
      content("", " more"),
      content("said"),
      { event: "ToolCallStarted", tool: tool("c1") },
      { event: "ToolCallCompleted", tool: tool("c1"), content: "" },
      content("after"),
    ]);
    expect(types(events)).toEqual([
      "REASONING_START",
      "REASONING_MESSAGE_START",
      "REASONING_MESSAGE_CONTENT",
      "REASONING_MESSAGE_CONTENT",
      "REASONING_MESSAGE_END",
      "REASONING_END",
      "TEXT_MESSAGE_START",
      "TEXT_MESSAGE_CONTENT",
      "TEXT_MESSAGE_END",
      "TOOL_CALL_START",
      "TOOL_CALL_ARGS",
      "TOOL_CALL_END",
      "TOOL_CALL_RESULT",
      "TEXT_MESSAGE_START",
      "TEXT_MESSAGE_CONTENT",
      "TEXT_MESSAGE_END",
      "RUN_FINISHED",
    ]);
  });

  test("runs within it are subagents, whatever they leave open", async () => {
    const events = await streamed([
      { ...member, event: "RunStarted" },
      { ...member, ...content("of the member") },
      content("of the leader"),
      { ...member, event: "RunError", content: "broke" },
      { ...member, run_id: "r3", event: "RunStarted" },
      { ...member, run_id: "r3", ...content("left open") },
    ]);
    expect(events.filter(({ type }) => type.startsWith("SUBAGENT"))).toMatchObject([
      { type: EventType.SUBAGENT_STARTED, subagentRunId: "r2", name: "Member" },
      { type: EventType.SUBAGENT_ERROR, subagentRunId: "r2", message: "broke" },
      { type: EventType.SUBAGENT_STARTED, subagentRunId: "r3" },
      { type: EventType.SUBAGENT_FINISHED, subagentRunId: "r3", outcome: { type: "success" } },
    ]);
  });

  test("a step that is active twice has two names", async () => {
    const step = (event: string, step_index: number) => ({ event, step_name: "write", step_index });
    const events = await streamed([step("StepStarted", 0), step("StepStarted", 1), step("StepCompleted", 0)]);
    expect(events.flatMap((event) => ("stepName" in event ? [event.stepName] : []))).toEqual([
      "write",
      "write (2)",
      "write",
      "write (2)",
    ]);
  });

  test("an answer that was not streamed is one message, and a value is the result", async () => {
    expect(types(await streamed([], { event: "RunCompleted", content: "whole" }))).toContain(
      "TEXT_MESSAGE_CONTENT",
    );
    const [, , finished] = await streamed([], { event: "RunCompleted", content: { total: 3 } });
    expect(finished).toMatchObject({ type: "RUN_FINISHED", result: { total: 3 } });
  });

  test("files are parts of the result that they belong to, and custom everywhere else, each once", async () => {
    const image = {
      ...{ id: "m1", mime_type: "image/png", filename: "a.png", url: "https://files.example.com/a" },
      media_reference: { storage_key: "k/1" },
    };
    const path = "/sessions/s1/media/k%2F1";
    const events = await streamed(
      [
        { event: "ToolCallStarted", tool: tool("c1") },
        { event: "ToolCallCompleted", tool: tool("c1"), content: "done", images: [image] },
      ],
      { event: "RunCompleted", content: "", images: [image], files: [{ id: "m2", filename: "b.csv" }] },
    );
    expect(events.find(({ type }) => type === "TOOL_CALL_RESULT")).toMatchObject({
      content: [
        { type: "text", text: "done" },
        {
          type: "image",
          source: { type: "url", value: image.url, mimeType: "image/png" },
          metadata: { id: "m1", filename: "a.png", path },
        },
      ],
    });
    const custom = events.filter(({ type }) => type === "CUSTOM");
    expect(custom).toEqual([
      {
        type: "CUSTOM",
        name: "media",
        value: { run_id: "r1", media: [{ type: "document", id: "m2", filename: "b.csv" }] },
      },
    ]);
    // A client of before 1.0 knows a result as text only.
    const before = aguiStream({ ...of, takesParts: false });
    const event = { event: "ToolCallCompleted", tool: tool("c1"), content: "done", images: [image] };
    const sent = before.of({ ...event, run_id: "r1", event_index: 0 } as never);
    expect(sent.slice(-2)).toMatchObject([
      { type: "TOOL_CALL_RESULT", content: "done" },
      { type: "CUSTOM", name: "media", value: { media: [{ type: "image", url: image.url, path }] } },
    ]);
  });

  test("a run that goes on elsewhere ends its stream with an error that says how to follow it", async () => {
    const stream = aguiStream(of);
    const sent = [
      ...stream.opening({}),
      ...stream.of({ ...content("half"), run_id: "r1", event_index: 0 } as never),
    ];
    const all = from([...sent, ...stream.goesOn()] as never[]).pipe(verifyEvents(), toArray());
    expect((await lastValueFrom(all)).at(-1)).toMatchObject({ type: "RUN_ERROR", code: "run_continues" });
  });
});

test("what answers where no component is named is the first that is declared, or that of the settings", () => {
  const registry = { agents: [], teams: [{ id: "t" }], workflows: [{ id: "w" }] };
  expect(aguiComponentOf(undefined, registry)).toEqual({ kind: "team", id: "t" });
  expect(aguiComponentOf("workflows/w", registry)).toEqual({ kind: "workflow", id: "w" });
  expect(aguiComponentOf(undefined, { agents: [], teams: [], workflows: [] })).toBeUndefined();
});
