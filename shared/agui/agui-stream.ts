import { type ContentPart, type Event, EventType, type Message, PROTOCOL_VERSION } from "@ag-ui/core";
import { jsonPatch } from "../domain/json-patch.ts";
import { wireCallId } from "../pauses/call-id.ts";
import { openInterrupts } from "../pauses/open-interrupts.ts";
import type { RecordedEvent } from "../schemas/runs/run-event.ts";
import type { StoredRun } from "../stores/runs/run-item.ts";
import { type AguiFile, contentOf, filesOfEvent, mediaEvent } from "./agui-media.ts";
import { openSpans } from "./open-spans.ts";
import { runUsage } from "./run-usage.ts";
import { subagents } from "./subagents.ts";

/** What a stream is about, and what its client knows already. */
export type AguiStreamOf = {
  readonly run_id: string;
  readonly session_id: string;
  /** As the client named its request. */
  readonly runId: string;
  readonly parentRunId?: string | undefined;
  /** The client's messages; sent back where an attempt starts over and what it has shown is void. */
  readonly messages: readonly Message[];
  /** Whether the client knows results of tools that have files in them. */
  readonly takesParts: boolean;
  /** Ids of calls that an earlier stream has shown. */
  readonly shownCalls: ReadonlySet<string>;
  /** Ids of calls whose result the client gave itself. */
  readonly answeredCalls: ReadonlySet<string>;
};

type Json = Readonly<Record<string, unknown>>;

/** The member of `metadata` in which this platform writes. */
const OWN = "agent-platform";

/** Events of a run that AG-UI has an event for, or that only say what other events say too. */
const silent: ReadonlySet<string> = new Set([
  "RunStarted",
  "RunContinued",
  "WorkflowStarted",
  "RunContentCompleted",
  "ModelRequestStarted",
  "StepOutput",
]);

/**
 * Translates the events of one run, in their order, to those of AG-UI. What its events are:
 *
 *   text, reasoning      TEXT_MESSAGE_*, REASONING_*; ids are the same whenever the run is streamed again
 *   tool calls           TOOL_CALL_START, ARGS, END before the call, RESULT after it; also for calls that wait for somebody
 *   runs within the run  SUBAGENT_*; what they do carries their id
 *   steps of a workflow  STEP_*
 *   files                parts of the results of tools; CUSTOM `media` for all others
 *   state                STATE_DELTA when it changes, and with what else has changed at the end
 *   end, pause           RUN_FINISHED with an outcome, or RUN_ERROR
 *   everything else      CUSTOM, named as on the run routes
 *
 * @source the protocol's types, version 1.0; its sequence rules as the official client verifies them
 */
export function aguiStream(of: AguiStreamOf) {
  const nested = subagents(of.run_id);
  const spans = openSpans(nested.attributed);
  const usage = runUsage();
  const shown = new Set(of.shownCalls);
  /** The message that the calls of a model's answer belong to, by run. */
  const parents = new Map<string, string>();
  const steps = new Map<string, string>();
  /** Ids of files that the client has been told of. */
  const told = new Set<string>();
  let state: Json = {};
  let hasText = false;

  const started = (): Event => ({
    type: EventType.RUN_STARTED,
    threadId: of.session_id,
    runId: of.runId,
    protocolVersion: PROTOCOL_VERSION,
    ...(of.parentRunId !== undefined && { parentRunId: of.parentRunId }),
    metadata: { [OWN]: { run_id: of.run_id, session_id: of.session_id } },
  });

  const showCall = (run_id: string, id: string, name: string, args: unknown, parent: string): Event[] => {
    if (shown.has(id)) return [];
    shown.add(id);
    const open = spans.textOf(run_id);
    const parentMessageId = parents.get(run_id) ?? open ?? parent;
    parents.set(run_id, parentMessageId);
    const about = { toolCallId: id, ...nested.attributed(run_id) };
    return [
      ...spans.close(run_id),
      { type: EventType.TOOL_CALL_START, toolCallName: name, parentMessageId, ...about },
      { type: EventType.TOOL_CALL_ARGS, delta: JSON.stringify(args ?? {}), ...about },
      { type: EventType.TOOL_CALL_END, ...about },
    ];
  };

  const newFiles = (event: RecordedEvent): AguiFile[] => {
    const files = filesOfEvent(of.session_id, event).filter(({ id }) => !told.has(id));
    for (const { id } of files) told.add(id);
    return files;
  };

  const callResult = (run_id: string, id: string, content: string | ContentPart[]): Event[] =>
    of.answeredCalls.has(id)
      ? []
      : [
          {
            type: EventType.TOOL_CALL_RESULT,
            messageId: `${id}:result`,
            toolCallId: id,
            content,
            role: "tool",
            ...nested.attributed(run_id),
          },
        ];

  const custom = ({ event, event_index: _, ...value }: RecordedEvent): Event[] => [
    { type: EventType.CUSTOM, name: event, value, ...nested.attributed(value.run_id) },
  ];

  /** A step may run several times at once, and names of active steps must differ. */
  const stepStarted = (key: string, name: string): Event[] => {
    const taken = new Set(steps.values());
    let stepName = name;
    for (let i = 2; taken.has(stepName); i += 1) stepName = `${name} (${i})`;
    steps.set(key, stepName);
    return [{ type: EventType.STEP_STARTED, stepName }];
  };
  const stepFinished = (key: string): Event[] => {
    const stepName = steps.get(key);
    if (stepName === undefined) return [];
    steps.delete(key);
    return [{ type: EventType.STEP_FINISHED, stepName }];
  };

  const closeAll = (): Event[] => [
    ...spans.closeAll(),
    ...nested.finishAll(),
    ...[...steps.keys()].flatMap(stepFinished),
  ];

  /** What a run within the run did, at its end. */
  const nestedEnd = (event: RecordedEvent, name: string): Event[] | undefined => {
    const { run_id } = event;
    switch (name) {
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
  };

  const ofEvent = (event: RecordedEvent): Event[] => {
    const { run_id } = event;
    const name = event.event.replace(/^Team/, "");
    const before = "agent_id" in event || "team_id" in event ? nested.announce(event) : [];
    if (nested.isNested(run_id)) {
      const ended = nestedEnd(event, name);
      if (ended) return [...before, ...mediaEvent(run_id, newFiles(event)), ...ended];
    }
    const messageId = `${run_id}-${event.event_index}`;
    switch (event.event) {
      case "RunContent":
      case "TeamRunContent": {
        if (event.content !== "" && run_id === of.run_id) hasText = true;
        const { reasoning_content = "", content } = event;
        return [
          ...before,
          ...spans.write(run_id, "reasoning", reasoning_content, `${messageId}-reasoning`),
          ...spans.write(run_id, "text", content, messageId),
        ];
      }
      case "ModelRequestCompleted":
      case "TeamModelRequestCompleted":
        usage.add(event);
        return before;
      case "ModelRequestStarted":
      case "TeamModelRequestStarted":
        parents.delete(run_id);
        return [...before, ...spans.close(run_id)];
      case "RunContentCompleted":
      case "TeamRunContentCompleted":
        return [...before, ...spans.close(run_id)];
      case "ToolCallStarted":
      case "TeamToolCallStarted": {
        const { tool_call_id, tool_name, tool_args } = event.tool;
        return [
          ...before,
          ...showCall(run_id, wireCallId(run_id, tool_call_id), tool_name, tool_args, messageId),
        ];
      }
      case "ToolCallCompleted":
      case "TeamToolCallCompleted":
      case "ToolCallError":
      case "TeamToolCallError": {
        const { tool_call_id, tool_name, tool_args, result } = event.tool;
        const id = wireCallId(run_id, tool_call_id);
        const content = "error" in event ? event.error : (result ?? event.content);
        const files = newFiles(event);
        const inResult = of.takesParts && !of.answeredCalls.has(id) ? files.filter(({ url }) => url) : [];
        return [
          ...before,
          ...showCall(run_id, id, tool_name, tool_args, messageId),
          ...callResult(run_id, id, contentOf(content, inResult)),
          ...mediaEvent(
            run_id,
            files.filter((file) => !inResult.includes(file)),
          ),
        ];
      }
      case "StepStarted":
        return stepStarted(stepKey(event), event.step_name);
      case "StepCompleted":
      case "StepError":
        return [...mediaEvent(run_id, newFiles(event)), ...stepFinished(stepKey(event))];
      default:
        return [
          ...before,
          ...mediaEvent(run_id, newFiles(event)),
          ...(silent.has(name) ? [] : custom(event)),
        ];
    }
  };

  const stateDelta = (after: Json | undefined): Event[] => {
    if (after === undefined) return [];
    const delta = jsonPatch(state, after);
    state = after;
    return delta.length === 0 ? [] : [{ type: EventType.STATE_DELTA, delta: [...delta] }];
  };

  const finished = (run: StoredRun | undefined, outcome: object, result?: unknown): Event[] => [
    ...closeAll(),
    ...stateDelta(run?.output.session_state),
    {
      type: EventType.RUN_FINISHED,
      threadId: of.session_id,
      runId: of.runId,
      outcome: outcome as never, // one of the three that its callers below write
      ...(result !== undefined && { result }),
      ...(usage.entries().length > 0 && { usage: usage.entries() }),
    },
  ];

  const paused = (run: StoredRun, messageId: string): Event[] => {
    const open = openInterrupts(run);
    const calls = open.flatMap(({ call }) =>
      call ? showCall(of.run_id, call.id, call.name, call.args, messageId) : [],
    );
    const interrupts = open.filter(({ isClientTool }) => !isClientTool).map(({ interrupt }) => interrupt);
    const pendingToolCallIds = open.flatMap(({ call, isClientTool }) =>
      isClientTool && call ? [call.id] : [],
    );
    const outcome =
      interrupts.length > 0 ? { type: "interrupt", interrupts } : { type: "success", pendingToolCallIds };
    return [...spans.closeAll(), ...nested.finishAll(), ...calls, ...finished(run, outcome)];
  };

  return {
    /** The first events. @param before  the state of the session as the run begins */
    opening(before: Json): Event[] {
      state = before;
      return [started(), { type: EventType.STATE_SNAPSHOT, snapshot: before }];
    },
    /** Keys of the session's state that the run has set just now. */
    stateChanged: (changes: Json): Event[] => stateDelta({ ...state, ...changes }),
    /** Anything but the end of this run. */
    of: ofEvent,
    /** An attempt that starts over: what the one before it has shown is void. */
    startOver: (): Event[] => [
      ...closeAll(),
      { type: EventType.MESSAGES_SNAPSHOT, messages: [...of.messages] },
    ],
    /**
     * The end of this run, or its pause.
     *
     * @param run  its record, read after the event; undefined where there is none
     */
    end(event: RecordedEvent, run: StoredRun | undefined): Event[] {
      const name = event.event.replace(/^(Team|Workflow)/, "");
      const messageId = `${of.run_id}-${event.event_index}`;
      if (/Paused$/.test(name)) return run ? paused(run, messageId) : [];
      if (/Cancelled$/.test(name) || run?.status === "CANCELLED") return finished(run, { type: "cancelled" });
      if (/Error$/.test(name)) {
        const code = "error_type" in event ? event.error_type : undefined;
        return [
          ...closeAll(),
          ...stateDelta(run?.output.session_state),
          {
            type: EventType.RUN_ERROR,
            message: textIn(event) ?? "The run failed.",
            ...(code !== undefined && { code }),
          },
        ];
      }
      const content = "content" in event ? event.content : undefined;
      const whole = hasText || typeof content !== "string" ? "" : content;
      return [
        ...spans.write(of.run_id, "text", whole, messageId),
        ...mediaEvent(of.run_id, newFiles(event)),
        ...finished(run, { type: "success" }, typeof content === "string" ? undefined : content),
      ];
    },
    /** The last events where the run goes on without this stream. */
    goesOn: (): Event[] => [
      ...closeAll(),
      {
        type: EventType.RUN_ERROR,
        code: "run_continues",
        message: `The run goes on in the background. Follow it with forwardedProps {"follow":"${of.run_id}"}.`,
      },
    ],
  };
}

const stepKey = (event: {
  step_id?: string;
  step_name: string;
  step_index: number;
  nested_depth: number;
}): string => [event.step_id ?? event.step_name, event.step_index, event.nested_depth].join(" ");

function textIn(event: RecordedEvent): string | undefined {
  if ("error" in event && typeof event.error === "string") return event.error;
  return "content" in event && typeof event.content === "string" ? event.content : undefined;
}
