import { expect, test } from "vitest";
import { streamedItems } from "../../functions/runs/openai/streamed-items.ts";
import type { RecordedEvent } from "../../shared/schemas/runs/run-event.ts";

const component = { kind: "agent", id: "assistant" } as const;
const items = () => streamedItems({ component, session_id: "s", run_id: "r" });
const call = (event: string, event_index: number, more: object = {}) =>
  ({
    ...{ event, event_index, run_id: "r", agent_id: "assistant" },
    tool: { tool_call_id: "call_1", tool_name: "add", tool_args: {}, result: null, ...more },
  }) as unknown as RecordedEvent;
const typesOf = (events: readonly { readonly type: string }[]) => events.map(({ type }) => type);

test("a call that fails ends once, although two events say so", () => {
  const { of } = items();
  of(call("ToolCallStarted", 1));
  const ended = of(call("ToolCallCompleted", 2, { result: "no", tool_call_error: true }));
  expect(typesOf(ended)).toEqual(["response.mcp_call.failed", "response.output_item.done"]);
  expect(of(call("ToolCallError", 3, { result: "no" }))).toEqual([]);
});

test.each(["before its result", "after it"])(
  "a call that another attempt executes again, %s, is an item with an id of its own",
  (when) => {
    const { of, close, items: all } = items();
    of(call("ToolCallStarted", 1));
    if (when === "after it") of(call("ToolCallCompleted", 2, { result: "4" }));
    close("incomplete");
    of(call("ToolCallStarted", 8));
    const [ended] = of(call("ToolCallCompleted", 9, { result: "5" }));
    expect(all).toMatchObject([
      { id: "mcp_r_call_1", status: when === "after it" ? "completed" : "incomplete" },
      { id: "mcp_r_call_1_8", status: "completed", output: "5" },
    ]);
    expect(ended).toMatchObject({ type: "response.mcp_call.completed", item_id: "mcp_r_call_1_8" });
  },
);
