import type { Component } from "../../../shared/runs/index.ts";
import type { ResponseItem } from "../../../shared/schemas/openai/response.ts";
import type { ToolExecution } from "../../../shared/schemas/runs/run.ts";
import type { RecordedEvent } from "../../../shared/schemas/runs/run-event.ts";
import { executed, MESSAGE, REASONING } from "./response-of.ts";
import { addressOf } from "./run-address.ts";

/** An event of a response's stream, without its number. */
export type ResponseEvent = { readonly type: string; readonly [member: string]: unknown };

type StreamedRun = {
  readonly component: Component;
  readonly session_id: string;
  readonly run_id: string;
};

/** The items of a response while they grow, each at its place, and the events of that. */
export type StreamedItems = {
  /** All that were begun, in their order. */
  readonly items: readonly ResponseItem[];
  /** Whether the run has said anything itself. */
  readonly hasText: () => boolean;
  /** What an event of the run, or of a run within it, adds. */
  readonly of: (event: RecordedEvent) => ResponseEvent[];
  /** Adds an item that is whole. */
  readonly add: (item: ResponseItem) => ResponseEvent[];
  /** Ends what is open. */
  readonly close: (status: Outcome) => ResponseEvent[];
};

type Outcome = "completed" | "incomplete";

/**
 * Nothing but the events decides what comes out, ids included: who follows the same run again gets the same. Text between two
 * calls is a message of its own.
 */
export function streamedItems(run: StreamedRun): StreamedItems {
  const list = itemList();
  const texts = growingTexts(list, run);
  const calls = runningCalls(list, run, () => texts.settleAll("completed"));
  return {
    items: list.items,
    hasText: texts.hasText,
    of: (event) => {
      switch (event.event) {
        case "RunContent":
        case "TeamRunContent":
          return event.run_id === run.run_id ? texts.said(event) : [];
        case "ToolCallStarted":
        case "TeamToolCallStarted":
          return event.tool.external_execution_required ? [] : calls.called(event);
        case "ToolCallCompleted":
        case "TeamToolCallCompleted":
          return event.tool.external_execution_required ? [] : calls.returned(event, {});
        case "ToolCallError":
        case "TeamToolCallError":
          return calls.returned(event, { tool_call_error: true, result: event.error });
        default:
          return [];
      }
    },
    add: (item) => {
      const [output_index, added] = list.begin(startOf(item));
      return [added, ...wholeEvents(item, output_index), list.end(output_index, item)];
    },
    close: (status) => [...texts.settleAll(status), ...calls.giveUp()],
  };
}

type ItemList = {
  readonly items: ResponseItem[];
  readonly begin: (item: ResponseItem) => readonly [output_index: number, event: ResponseEvent];
  readonly end: (output_index: number, item: ResponseItem) => ResponseEvent;
};

function itemList(): ItemList {
  const items: ResponseItem[] = [];
  return {
    items,
    begin: (item) => {
      const output_index = items.push(item) - 1;
      return [output_index, { type: "response.output_item.added", output_index, item }];
    },
    end: (output_index, item) => {
      items[output_index] = item;
      return { type: "response.output_item.done", output_index, item };
    },
  };
}

/** Text and reasoning that grow; at most one of each at a time. */
function growingTexts({ items, begin, end }: ItemList, { component, session_id, run_id }: StreamedRun) {
  const growing = new Map<Growing, number>();
  let hasText = false;
  const grow = (kind: Growing, event_index: number, delta: string): ResponseEvent[] => {
    const at = growing.get(kind);
    const { empty, opened, grown, withText } = growth[kind];
    if (at !== undefined) {
      const item = items[at];
      if (!item) return [];
      items[at] = withText(item, textIn(item) + delta);
      return [grown(placeIn(item, at), delta)];
    }
    const call_id = String(event_index);
    const item = empty(addressOf(MESSAGE, { component, session_id, run_id, call_id }));
    const [index, added] = begin(item);
    growing.set(kind, index);
    items[index] = withText(item, delta);
    const place = placeIn(item, index);
    return [added, opened(place), grown(place, delta)];
  };
  const settle = (kind: Growing, status: Outcome): ResponseEvent[] => {
    const at = growing.get(kind);
    const item = at === undefined ? undefined : items[at];
    if (at === undefined || !item) return [];
    growing.delete(kind);
    return [...growth[kind].settled(placeIn(item, at), textIn(item)), end(at, { ...item, status })];
  };
  return {
    hasText: () => hasText,
    said: ({ content, reasoning_content, event_index }: ContentEvent): ResponseEvent[] => {
      const thought = reasoning_content ? grow("reasoning", event_index, reasoning_content) : [];
      if (content === "") return thought;
      hasText = true;
      return [...thought, ...settle("reasoning", "completed"), ...grow("message", event_index, content)];
    },
    settleAll: (status: Outcome) => [...settle("reasoning", status), ...settle("message", status)],
  };
}

/** Calls that are executed here. @param beforeCall  ends the text before a call */
function runningCalls(
  { items, begin, end }: ItemList,
  { component }: StreamedRun,
  beforeCall: () => ResponseEvent[],
) {
  /** Places of calls without a result, by run and call. */
  const running = new Map<string, number>();
  /** Calls with a result: of one that failed two events say so. */
  const settled = new Set<string>();
  const called = (event: ToolEvent): ResponseEvent[] => {
    const key = callKey(event);
    if (running.has(key)) return [];
    settled.delete(key);
    const shown = executed(event.tool, event.run_id, labelOf(event, component));
    // Another attempt may execute the same call again, and an item of its own has an id of its own.
    const isAgain = items.some(({ id }) => id === shown.id);
    const whole = isAgain ? { ...shown, id: `${shown.id}_${event.event_index}` } : shown;
    const item: ResponseItem = {
      ...whole,
      ...{ status: "in_progress", arguments: "", output: null, error: null },
    };
    const closed = beforeCall();
    const [output_index, added] = begin(item);
    running.set(key, output_index);
    items[output_index] = { ...item, arguments: whole.arguments };
    const place = { item_id: item.id, output_index };
    return [
      ...closed,
      added,
      { type: "response.mcp_call.in_progress", ...place },
      { type: "response.mcp_call_arguments.delta", ...place, delta: whole.arguments },
      { type: "response.mcp_call_arguments.done", ...place, arguments: whole.arguments },
    ];
  };
  return {
    called,
    returned: (event: ToolEvent, result: Partial<ToolExecution>): ResponseEvent[] => {
      if (settled.has(callKey(event))) return [];
      // A call that was decided elsewhere has no beginning.
      const before = running.has(callKey(event)) ? [] : called(event);
      const output_index = running.get(callKey(event)) ?? 0;
      const shown = executed({ ...event.tool, ...result }, event.run_id, labelOf(event, component));
      const item = { ...shown, id: items[output_index]?.id ?? shown.id };
      running.delete(callKey(event));
      settled.add(callKey(event));
      const outcome = item.status === "failed" ? "failed" : "completed";
      return [
        ...before,
        { type: `response.mcp_call.${outcome}`, item_id: item.id, output_index },
        end(output_index, item),
      ];
    },
    /** Ends calls whose results will not come. */
    giveUp: (): ResponseEvent[] => {
      const open = [...running.values()];
      running.clear();
      return open.flatMap((at) => {
        const item = items[at];
        return item ? [end(at, { ...item, status: "incomplete" })] : [];
      });
    },
  };
}

type ContentEvent = Extract<RecordedEvent, { readonly event: "RunContent" | "TeamRunContent" }>;
type ToolEvent = Extract<RecordedEvent, { readonly tool: ToolExecution }>;
const callKey = ({ run_id, tool }: ToolEvent): string => `${run_id}/${tool.tool_call_id}`;

/** The component whose call it is: a member's where a member calls. */
const labelOf = (event: ToolEvent, { kind }: Component): Component => ({
  kind,
  id: "agent_id" in event ? event.agent_id : event.team_id,
});

type Growing = "message" | "reasoning";
type ItemPlace = { readonly item_id: string; readonly output_index: number };
const placeIn = ({ id }: ResponseItem, output_index: number): ItemPlace => ({ item_id: id, output_index });

const textIn = ({ content, summary }: ResponseItem): string => (content ?? summary)?.[0]?.text ?? "";
const textPart = (text: string) => ({ type: "output_text" as const, text, annotations: [] });
const summaryPart = (text: string) => ({ type: "summary_text" as const, text });

type Growth = {
  readonly empty: (id: string) => ResponseItem;
  readonly withText: (item: ResponseItem, text: string) => ResponseItem;
  readonly opened: (place: ItemPlace) => ResponseEvent;
  readonly grown: (place: ItemPlace, delta: string) => ResponseEvent;
  readonly settled: (place: ItemPlace, text: string) => ResponseEvent[];
};

const growth: Readonly<Record<Growing, Growth>> = {
  message: {
    empty: (id) => ({ id, type: "message", status: "in_progress", role: "assistant", content: [] }),
    withText: (item, text) => ({ ...item, content: [textPart(text)] }),
    opened: (place) => ({
      ...{ type: "response.content_part.added", ...place, content_index: 0 },
      part: textPart(""),
    }),
    grown: (place, delta) => ({
      ...{ type: "response.output_text.delta", ...place, content_index: 0 },
      ...{ delta, logprobs: [] },
    }),
    settled: (place, text) => [
      { type: "response.output_text.done", ...place, content_index: 0, text, logprobs: [] },
      { type: "response.content_part.done", ...place, content_index: 0, part: textPart(text) },
    ],
  },
  reasoning: {
    empty: (address) => ({
      id: `${REASONING}${address.slice(MESSAGE.length)}`,
      type: "reasoning",
      status: "in_progress",
      summary: [],
    }),
    withText: (item, text) => ({ ...item, summary: [summaryPart(text)] }),
    opened: (place) => ({
      ...{ type: "response.reasoning_summary_part.added", ...place, summary_index: 0 },
      part: summaryPart(""),
    }),
    grown: (place, delta) => ({
      ...{ type: "response.reasoning_summary_text.delta", ...place, summary_index: 0 },
      delta,
    }),
    settled: (place, text) => [
      { type: "response.reasoning_summary_text.done", ...place, summary_index: 0, text },
      {
        ...{ type: "response.reasoning_summary_part.done", ...place, summary_index: 0 },
        part: summaryPart(text),
      },
    ],
  },
};

/** A whole item as it is at its beginning. */
function startOf(item: ResponseItem): ResponseItem {
  if (item.type === "message") return growth.message.empty(item.id);
  if (item.type === "function_call") return { ...item, status: "in_progress", arguments: "" };
  return item;
}

/** The events of a whole item between its beginning and its end. */
function wholeEvents(item: ResponseItem, output_index: number): ResponseEvent[] {
  const place = placeIn(item, output_index);
  const { message } = growth;
  if (item.type === "message") {
    const text = textIn(item);
    return [message.opened(place), message.grown(place, text), ...message.settled(place, text)];
  }
  if (item.type !== "function_call") return [];
  const { arguments: args, name } = item;
  return [
    { type: "response.function_call_arguments.delta", ...place, delta: args },
    { type: "response.function_call_arguments.done", ...place, arguments: args, name },
  ];
}
