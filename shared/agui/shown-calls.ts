import { type ContentPart, type Event, EventType } from "@ag-ui/core";
import type { openSpans } from "./open-spans.ts";
import type { Attributed } from "./subagents.ts";

type Known = {
  /** Ids of calls that an earlier stream has shown. */
  readonly shownCalls: ReadonlySet<string>;
  /** Ids of calls whose result the client gave itself. */
  readonly answeredCalls: ReadonlySet<string>;
};

/** The tool calls of a stream: each is shown once, with the message of the model's answer that it belongs to. */
export function shownCalls(known: Known, spans: ReturnType<typeof openSpans>, attributed: Attributed) {
  const shown = new Set(known.shownCalls);
  /** The message that the calls of a model's answer belong to, by run. */
  const parents = new Map<string, string>();
  return {
    /** The calls that follow belong to another answer of the model. */
    nextAnswer: (run_id: string): void => void parents.delete(run_id),
    /** @param parent  id of their message where the answer had no text */
    show(run_id: string, id: string, name: string, args: unknown, parent: string): Event[] {
      if (shown.has(id)) return [];
      shown.add(id);
      const parentMessageId = parents.get(run_id) ?? spans.textOf(run_id) ?? parent;
      parents.set(run_id, parentMessageId);
      const about = { toolCallId: id, ...attributed(run_id) };
      return [
        ...spans.close(run_id),
        { type: EventType.TOOL_CALL_START, toolCallName: name, parentMessageId, ...about },
        { type: EventType.TOOL_CALL_ARGS, delta: JSON.stringify(args ?? {}), ...about },
        { type: EventType.TOOL_CALL_END, ...about },
      ];
    },
    result: (run_id: string, id: string, content: string | ContentPart[]): Event[] =>
      known.answeredCalls.has(id)
        ? []
        : [
            {
              type: EventType.TOOL_CALL_RESULT,
              messageId: `${id}:result`,
              toolCallId: id,
              content,
              role: "tool",
              ...attributed(run_id),
            },
          ],
  };
}
