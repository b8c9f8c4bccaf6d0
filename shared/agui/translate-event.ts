import { type Event, EventType } from "@ag-ui/core";
import { wireCallId } from "../pauses/call-id.ts";
import type { RecordedEvent } from "../schemas/runs/run-event.ts";
import { contentOf, mediaEvent } from "./agui-media.ts";
import { type Translation, textIn } from "./translation.ts";

/** Events of a run that AG-UI has an event for, or that only say what other events say too. */
const silent: ReadonlySet<string> = new Set([
  "RunStarted",
  "RunContinued",
  "WorkflowStarted",
  "RunContentCompleted",
  "ModelRequestStarted",
  "StepOutput",
]);

type Named<Name extends RecordedEvent["event"]> = Extract<RecordedEvent, { readonly event: Name }>;
type EndedCall = Named<"ToolCallCompleted" | "TeamToolCallCompleted" | "ToolCallError" | "TeamToolCallError">;

/** Anything but the end of the stream's own run. */
export function translateEvent(stream: Translation, event: RecordedEvent): Event[] {
  const { nested } = stream;
  const before = "agent_id" in event || "team_id" in event ? nested.announce(event) : [];
  const ended = nested.isNested(event.run_id) ? nestedEnd(stream, event) : undefined;
  if (ended) return [...before, ...mediaEvent(event.run_id, stream.newFiles(event)), ...ended];
  return [...before, ...ownEvents(stream, event)];
}

/** What a run within the run did, at its end. */
function nestedEnd({ spans, nested }: Translation, event: RecordedEvent): Event[] | undefined {
  const { run_id } = event;
  switch (nameOf(event)) {
    case "RunCompleted":
      return [...spans.close(run_id), ...nested.finish(run_id)];
    case "RunPaused":
      return [...spans.close(run_id), ...nested.finish(run_id, [])];
    case "RunError":
      return [...spans.close(run_id), ...nested.fail(run_id, textIn(event) ?? "The run failed.")];
    case "RunCancelled":
      return [...spans.close(run_id), ...nested.fail(run_id, "The run was cancelled.", "cancelled")];
    default:
      return undefined;
  }
}

function ownEvents(stream: Translation, event: RecordedEvent): Event[] {
  const { run_id } = event;
  const { spans, calls, steps, usage } = stream;
  switch (event.event) {
    case "RunContent":
    case "TeamRunContent":
      return written(stream, event);
    case "ModelRequestCompleted":
    case "TeamModelRequestCompleted":
      usage.add(event);
      return [];
    case "ModelRequestStarted":
    case "TeamModelRequestStarted":
      calls.nextAnswer(run_id);
      return spans.close(run_id);
    case "RunContentCompleted":
    case "TeamRunContentCompleted":
      return spans.close(run_id);
    case "ToolCallStarted":
    case "TeamToolCallStarted": {
      const { tool_call_id, tool_name, tool_args } = event.tool;
      return calls.show(run_id, wireCallId(run_id, tool_call_id), tool_name, tool_args, messageIdOf(event));
    }
    case "ToolCallCompleted":
    case "TeamToolCallCompleted":
    case "ToolCallError":
    case "TeamToolCallError":
      return endedCall(stream, event);
    case "StepStarted":
      return steps.start(event);
    case "StepCompleted":
    case "StepError":
      return [...mediaEvent(run_id, stream.newFiles(event)), ...steps.finish(event)];
    default:
      return [
        ...mediaEvent(run_id, stream.newFiles(event)),
        ...(silent.has(nameOf(event)) ? [] : custom(stream, event)),
      ];
  }
}

function written({ of, spans, answer }: Translation, event: Named<"RunContent" | "TeamRunContent">): Event[] {
  const { run_id, reasoning_content = "", content } = event;
  if (content !== "" && run_id === of.run_id) answer.hasText = true;
  const messageId = messageIdOf(event);
  return [
    ...spans.write(run_id, "reasoning", reasoning_content, `${messageId}-reasoning`),
    ...spans.write(run_id, "text", content, messageId),
  ];
}

/** A call with its result; files are parts of the result where the client knows those. */
function endedCall({ of, calls, newFiles }: Translation, event: EndedCall): Event[] {
  const { run_id } = event;
  const { tool_call_id, tool_name, tool_args, result } = event.tool;
  const id = wireCallId(run_id, tool_call_id);
  const content = "error" in event ? event.error : (result ?? event.content);
  const files = newFiles(event);
  const inResult = of.takesParts && !of.answeredCalls.has(id) ? files.filter(({ url }) => url) : [];
  return [
    ...calls.show(run_id, id, tool_name, tool_args, messageIdOf(event)),
    ...calls.result(run_id, id, contentOf(content, inResult)),
    ...mediaEvent(
      run_id,
      files.filter((file) => !inResult.includes(file)),
    ),
  ];
}

const custom = ({ nested }: Translation, { event, event_index: _, ...value }: RecordedEvent): Event[] => [
  { type: EventType.CUSTOM, name: event, value, ...nested.attributed(value.run_id) },
];

const nameOf = ({ event }: RecordedEvent): string => event.replace(/^Team/, "");

const messageIdOf = ({ run_id, event_index }: RecordedEvent): string => `${run_id}-${event_index}`;
