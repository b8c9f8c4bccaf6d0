import { type Event, EventType } from "@ag-ui/core";
import { openInterrupts } from "../pauses/open-interrupts.ts";
import type { RecordedEvent } from "../schemas/runs/run-event.ts";
import type { StoredRun } from "../stores/runs/run-item.ts";
import { aguiInterrupt } from "./agui-interrupt.ts";
import { mediaEvent } from "./agui-media.ts";
import { closeAll, OWN, type Translation, textIn } from "./translation.ts";

/**
 * The end of the stream's own run, or its pause.
 *
 * @param run  its record, read after the event; undefined where there is none
 */
export function translateEnd(stream: Translation, event: RecordedEvent, run: StoredRun | undefined): Event[] {
  const name = event.event.replace(/^(Team|Workflow)/, "");
  const messageId = `${stream.of.run_id}-${event.event_index}`;
  if (/Paused$/.test(name)) return run ? paused(stream, run, messageId) : [];
  if (/Cancelled$/.test(name) || run?.status === "CANCELLED") {
    return finished(stream, run, { type: "cancelled" });
  }
  return /Error$/.test(name) ? failed(stream, event, run) : completed(stream, event, run, messageId);
}

function paused(stream: Translation, run: StoredRun, messageId: string): Event[] {
  const { of, calls, spans, nested } = stream;
  const open = openInterrupts(run);
  const shown = open.flatMap(({ call }) =>
    call ? calls.show(of.run_id, call.id, call.name, call.args, messageId) : [],
  );
  const interrupts = open.filter(({ isClientTool }) => !isClientTool).map(aguiInterrupt);
  const pendingToolCallIds = open.flatMap(({ call, isClientTool }) =>
    isClientTool && call ? [call.id] : [],
  );
  const outcome =
    interrupts.length > 0 ? { type: "interrupt", interrupts } : { type: "success", pendingToolCallIds };
  return [...spans.closeAll(), ...nested.finishAll(), ...shown, ...finished(stream, run, outcome)];
}

function failed(stream: Translation, event: RecordedEvent, run: StoredRun | undefined): Event[] {
  const code = "error_type" in event ? event.error_type : undefined;
  return [
    ...closeAll(stream),
    ...stream.state.delta(run?.output.session_state),
    {
      type: EventType.RUN_ERROR,
      message: textIn(event) ?? "The run failed.",
      ...(code !== undefined && { code }),
    },
  ];
}

/** With the whole answer as a message, where none of it has been streamed. */
function completed(
  stream: Translation,
  event: RecordedEvent,
  run: StoredRun | undefined,
  messageId: string,
): Event[] {
  const { of, spans, answer, newFiles } = stream;
  const content = "content" in event ? event.content : undefined;
  const isText = typeof content === "string";
  return [
    ...spans.write(of.run_id, "text", isText && !answer.hasText ? content : "", messageId),
    ...mediaEvent(of.run_id, newFiles(event)),
    ...finished(stream, run, { type: "success" }, isText ? undefined : content),
  ];
}

function finished(
  stream: Translation,
  run: StoredRun | undefined,
  outcome: object,
  result?: unknown,
): Event[] {
  const { of, state, usage } = stream;
  const finish_reason = run?.output.finish_reason;
  return [
    ...closeAll(stream),
    ...state.delta(run?.output.session_state),
    {
      type: EventType.RUN_FINISHED,
      threadId: of.session_id,
      runId: of.runId,
      outcome: outcome as never, // one of the three that its callers above write
      ...(result !== undefined && { result }),
      ...(usage.entries().length > 0 && { usage: usage.entries() }),
      ...(finish_reason && { metadata: { [OWN]: { finish_reason } } }),
    },
  ];
}
