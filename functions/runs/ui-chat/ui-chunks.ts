import { listMedia } from "../../../shared/domain/runs/output-media.ts";
import { wireCallId } from "../../../shared/pauses/call-id.ts";
import type { OutputMedia } from "../../../shared/schemas/runs/media.ts";
import type { ToolExecution } from "../../../shared/schemas/runs/run.ts";
import type { RecordedEvent } from "../../../shared/schemas/runs/run-event.ts";
import { isEndOf } from "../../../shared/stores/runs/event-base.ts";
import { isDenied, shownOutput } from "./tool-parts.ts";

/** A chunk of the AI SDK's UI message stream. @source ai 7.0.173, `uiMessageChunkSchema` */
export type UiChunk = { readonly type: string; readonly [member: string]: unknown };

type StreamedRun = {
  readonly run_id: string;
  /** Ids of calls that the client's message has already. */
  readonly shownCalls: ReadonlySet<string>;
  /** Ids of calls whose output the client gave itself. */
  readonly answeredCalls: ReadonlySet<string>;
};

/** A call as it is shown. */
export type ShownCall = { readonly id: string; readonly name: string; readonly args: unknown };

/** The chunks of one run, in the order of its events. */
export type UiChunks = {
  /** What an event of the run, or of a run within it, adds; nothing for an end. */
  readonly of: (event: RecordedEvent) => UiChunk[];
  /** Takes back what the events from an index on have shown: a new attempt repeats them. */
  readonly voided: (from: number) => UiChunk[];
  /** Shows a call that waits, if it is not shown yet. */
  readonly waiting: (call: ShownCall, isForClient: boolean) => UiChunk[];
  /** A text that is whole; nothing for an empty one. */
  readonly say: (text: string) => UiChunk[];
  /** Ends what is open; what follows is a step of its own. */
  readonly close: () => UiChunk[];
  /** Whether the run itself has said anything since the last `close`. */
  readonly hasText: () => boolean;
};

/**
 * What runs from one pause to the next is one step: the protocol can take back the present step only, and an attempt that starts over
 * takes back all of it.
 */
export function uiChunks(run: StreamedRun): UiChunks {
  let step: Step | undefined;
  /** Of the present step, so that what still stands can be shown again. */
  let events: RecordedEvent[] = [];
  const earlier = new Set(run.shownCalls);
  const opened = (): readonly [Step, UiChunk[]] => {
    if (step) return [step, []];
    step = newStep(run, earlier);
    return [step, [{ type: "start-step" }]];
  };
  return {
    of: (event) => {
      if (isEndOf(run.run_id, event)) return step ? step.filesOf(event) : [];
      const [at, begin] = opened();
      events.push(event);
      return [...begin, ...at.of(event)];
    },
    voided: (from) => {
      const kept = events.filter(({ event_index }) => event_index < from);
      if (!step || kept.length === events.length) return [];
      const again = newStep(run, earlier);
      step = again;
      events = kept;
      return [{ type: "reset-step" }, ...kept.flatMap(again.of)];
    },
    waiting: (call, isForClient) => {
      const [at, begin] = opened();
      return [...begin, ...at.show(call, isForClient)];
    },
    say: (delta) => {
      if (delta === "") return [];
      const [at, begin] = opened();
      const id = `text-of-${run.run_id}`;
      return [
        ...begin,
        ...at.closeText(),
        { type: "text-start", id },
        { type: "text-delta", id, delta },
        { type: "text-end", id },
      ];
    },
    close: () => {
      if (!step) return [];
      const chunks = [...step.closeText(), { type: "finish-step" }];
      for (const id of step.shown) earlier.add(id);
      step = undefined;
      events = [];
      return chunks;
    },
    hasText: () => step?.hasText() ?? false,
  };
}

type Step = ReturnType<typeof newStep>;

function newStep(run: StreamedRun, earlier: ReadonlySet<string>) {
  const text = openText();
  const shown = new Set<string>();
  const files = newFiles();
  const members = memberParts(run.run_id);
  const show = ({ id, name, args }: ShownCall, isForClient: boolean): UiChunk[] => {
    if (shown.has(id) || earlier.has(id)) return [];
    shown.add(id);
    const call = { toolCallId: id, toolName: name, input: args ?? {}, dynamic: true };
    return [
      ...text.close(),
      { type: "tool-input-available", ...call, ...(!isForClient && { providerExecuted: true }) },
    ];
  };
  const returned = (id: string, result: UiChunk): UiChunk[] =>
    run.answeredCalls.has(id) ? [] : [{ ...result, toolCallId: id }];
  const ownEvent = (event: RecordedEvent): UiChunk[] => {
    switch (event.event) {
      case "RunContent":
      case "TeamRunContent":
        return event.run_id === run.run_id ? text.said(event) : [];
      case "ModelRequestStarted":
      case "TeamModelRequestStarted":
      case "RunContentCompleted":
      case "TeamRunContentCompleted":
        return event.run_id === run.run_id ? text.close() : [];
      case "ToolCallStarted":
      case "TeamToolCallStarted":
        return event.tool.external_execution_required ? [] : show(callOf(event), false);
      case "ToolCallCompleted":
      case "TeamToolCallCompleted": {
        const call = callOf(event);
        const output = shownOutput(event.tool.result ?? event.content);
        const denied = isDenied(event.tool);
        return [
          ...show(call, false),
          ...returned(
            call.id,
            denied ? { type: "tool-output-denied" } : { type: "tool-output-available", output },
          ),
          ...files(event),
        ];
      }
      case "ToolCallError":
      case "TeamToolCallError": {
        const call = callOf(event);
        const denied = isDenied(event.tool);
        const errorText = shownOutput(event.error);
        return [
          ...show(call, false),
          ...returned(
            call.id,
            denied ? { type: "tool-output-denied" } : { type: "tool-output-error", errorText },
          ),
        ];
      }
      case "CustomEvent":
        return event.name === "user_message" && event.state === "taken"
          ? [
              ...text.close(),
              {
                type: "steering-message",
                id: event.message_id,
                parts: [{ type: "text", text: event.content }],
              },
            ]
          : [];
      default:
        return files(event);
    }
  };
  return {
    shown,
    show,
    of: (event: RecordedEvent): UiChunk[] => [...members(event), ...ownEvent(event)],
    filesOf: files,
    closeText: text.close,
    hasText: text.hasText,
  };
}

type Content = Extract<RecordedEvent, { readonly event: "RunContent" | "TeamRunContent" }>;
type OfTool = Extract<RecordedEvent, { readonly tool: ToolExecution }>;

const callOf = ({ run_id, tool }: OfTool): ShownCall => ({
  id: wireCallId(run_id, tool.tool_call_id),
  name: tool.tool_name,
  args: tool.tool_args,
});

/** Text and reasoning of the run itself; at most one of them grows at a time. */
function openText() {
  let open: { readonly kind: "text" | "reasoning"; readonly id: string } | undefined;
  let hasText = false;
  const close = (): UiChunk[] => {
    if (!open) return [];
    const { kind, id } = open;
    open = undefined;
    return [{ type: `${kind}-end`, id }];
  };
  const grow = (kind: "text" | "reasoning", index: number, delta: string): UiChunk[] => {
    if (delta === "") return [];
    const begin: UiChunk[] = [];
    if (open?.kind !== kind) {
      begin.push(...close());
      open = { kind, id: `${kind}-${index}` };
      begin.push({ type: `${kind}-start`, id: open.id });
    }
    return [...begin, { type: `${kind}-delta`, id: open.id, delta }];
  };
  return {
    close,
    hasText: () => hasText,
    said: ({ reasoning_content, content, event_index }: Content): UiChunk[] => {
      if (content !== "") hasText = true;
      return [
        ...grow("reasoning", event_index, reasoning_content ?? ""),
        ...grow("text", event_index, content),
      ];
    },
  };
}

/** The files in events whose media have addresses, each once. */
function newFiles() {
  const sent = new Set<string>();
  return (event: RecordedEvent): UiChunk[] =>
    listMedia(event as OutputMedia).flatMap(([, { id, url, mime_type }]) => {
      if (url === undefined || sent.has(id)) return [];
      sent.add(id);
      return [{ type: "file", url, mediaType: mime_type ?? "application/octet-stream" }];
    });
}

const endsOfMembers: Readonly<Record<string, string>> = {
  RunCompleted: "completed",
  RunPaused: "paused",
  RunError: "error",
  RunCancelled: "cancelled",
};

/** What runs within the run do, one part for each. */
function memberParts(own: string) {
  const names = new Map<string, string>();
  return (event: RecordedEvent): UiChunk[] => {
    const { run_id } = event;
    if (run_id === own || !("agent_id" in event || "team_id" in event)) return [];
    const isNew = !names.has(run_id);
    const name = "agent_name" in event ? event.agent_name : event.team_name;
    names.set(run_id, name);
    const status = endsOfMembers[event.event.replace(/^Team/, "")];
    if (!isNew && status === undefined) return [];
    const text = status !== undefined && "content" in event ? event.content : undefined;
    const data = { run_id, name, status: status ?? "running", ...(typeof text === "string" && { text }) };
    return [{ type: "data-member", id: run_id, data }];
  };
}
