import { type Event, EventType } from "@ag-ui/core";
import type { Attributed } from "./subagents.ts";

/** What of one run is open in the stream: the protocol wants every message and every reasoning closed that was begun. */
type Span = { readonly kind: "text" | "reasoning"; readonly id: string };

/**
 * The text or reasoning that a stream carries at this moment, for each run in it. At most one of a run is open at a time.
 *
 * @param attributed  the fields that say whose events those of a run are
 */
export function openSpans(attributed: Attributed) {
  const open = new Map<string, Span>();
  const close = (run_id: string): Event[] => {
    const span = open.get(run_id);
    if (!span) return [];
    open.delete(run_id);
    const of = { messageId: span.id, ...attributed(run_id) };
    return span.kind === "text"
      ? [{ type: EventType.TEXT_MESSAGE_END, ...of }]
      : [
          { type: EventType.REASONING_MESSAGE_END, ...of },
          { type: EventType.REASONING_END, ...of },
        ];
  };
  const begin = (run_id: string, span: Span): Event[] => {
    const before = close(run_id);
    open.set(run_id, span);
    const of = { messageId: span.id, ...attributed(run_id) };
    return span.kind === "text"
      ? [...before, { type: EventType.TEXT_MESSAGE_START, role: "assistant", ...of }]
      : [
          ...before,
          { type: EventType.REASONING_START, ...of },
          { type: EventType.REASONING_MESSAGE_START, role: "reasoning", ...of },
        ];
  };
  return {
    close,
    closeAll: (): Event[] => [...open.keys()].flatMap(close),
    /** A part of a text or a reasoning. @param id  of the message that it begins, unless one of its kind is open */
    write(run_id: string, kind: Span["kind"], delta: string, id: string): Event[] {
      if (delta === "") return [];
      const opened = open.get(run_id)?.kind === kind ? [] : begin(run_id, { kind, id });
      const messageId = open.get(run_id)?.id ?? id;
      const type = kind === "text" ? EventType.TEXT_MESSAGE_CONTENT : EventType.REASONING_MESSAGE_CONTENT;
      return [...opened, { type, messageId, delta, ...attributed(run_id) }];
    },
    /** Id of the text that is open. */
    textOf: (run_id: string): string | undefined => {
      const span = open.get(run_id);
      return span?.kind === "text" ? span.id : undefined;
    },
  };
}
