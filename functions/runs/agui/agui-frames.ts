import { type Event, EventType, type Message } from "@ag-ui/core";
import { aguiFrames } from "../../../shared/agui/agui-frame.ts";
import { aguiStream } from "../../../shared/agui/agui-stream.ts";
import type { IgnoredMessage } from "../../../shared/agui/input-of.ts";
import { errorText } from "../../../shared/domain/runs/outcome-of-run.ts";
import { type EventFrames, type FramedRun, type RunsDeps, withoutIndex } from "../../../shared/runs/index.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import { inOrder } from "../../../shared/runtime/promises.ts";
import type { RunAgentInput } from "../../../shared/schemas/agui/run-agent-input.ts";
import type { RecordedEvent } from "../../../shared/schemas/runs/run-event.ts";
import {
  cancelledEvent,
  type EventSource,
  errorEvent,
  eventSource,
  isBeginningOf,
  isEndOf,
} from "../../../shared/stores/runs/event-base.ts";
import { getRun } from "../../../shared/stores/runs/get-run.ts";
import type { StoredRun } from "../../../shared/stores/runs/run-item.ts";
import { eventWithAddresses } from "../with-addresses.ts";

/** What a client has seen of a run in earlier streams. */
export type Seen = {
  readonly shownCalls: ReadonlySet<string>;
  readonly answeredCalls: ReadonlySet<string>;
};
export const nothingSeen: Seen = { shownCalls: new Set(), answeredCalls: new Set() };

type Beginning = {
  readonly before?: readonly Message[];
  readonly ignored?: readonly IgnoredMessage[];
};

type Needs = Pick<RunsDeps, "db" | "clock" | "log">;

/**
 * The frames of AG-UI for the events of one run. The record is read at its beginning and its end, for the session's state. What
 * changes the state in between is sent where the run is executed by this process.
 *
 * @param before   the thread before the run, given where its client may have parts of the run's messages already
 * @param ignored  new messages of the client that are not the input of the run, which begins with this request
 */
export function aguiFramesOf(
  input: Pick<RunAgentInput, "runId" | "parentRunId" | "messages" | "threadId" | "protocolVersion">,
  deps: Needs,
  seen: Seen = nothingSeen,
  { before, ignored }: Beginning = {},
) {
  const { db, clock } = deps;
  return (run: FramedRun): EventFrames => {
    const stream = aguiStream({
      run_id: run.run_id,
      session_id: run.session_id,
      runId: input.runId,
      parentRunId: input.parentRunId ?? undefined,
      messages: before ?? (input.messages as readonly Message[]), // as its client sent them
      takesParts: takesParts(input),
      ...seen,
    });
    const read = async (): Promise<StoredRun | undefined> => {
      const { owner, run_id, session_id } = run;
      return owner === undefined ? undefined : getRun(db, { owner, session_id, run_id }, epochSeconds(clock));
    };
    let hasBegun = false;
    let hasEnded = false;
    // Reads of the record and addresses of files take time; what is sent must not be overtaken meanwhile.
    const next = inOrder();
    const end = (events: Event[]): string => {
      hasEnded = true;
      return aguiFrames(events);
    };
    /** A cancelled run has two ends. */
    const ofEnd = async (event: RecordedEvent): Promise<string> => {
      const record = await read();
      // A pause that was answered since; what follows is in the record too.
      if (/Paused$/.test(event.event) && record && record.status !== "PAUSED") return "";
      return hasEnded ? "" : end(stream.end(event, record));
    };
    const ofEvent = async (stored: RecordedEvent): Promise<string> => {
      // The paused run as a whole, behind its pause.
      if (hasEnded || stored.event === "WorkflowRunOutput") return "";
      const event = await eventWithAddresses(stored, deps);
      if (isEndOf(run.run_id, event)) return ofEnd(event);
      const begins = isBeginningOf(run.run_id, event);
      const startsOver = hasBegun && begins;
      if (begins) hasBegun = true;
      return aguiFrames([...(startsOver ? stream.startOver() : []), ...stream.of(event)]);
    };
    const closing = async (): Promise<string> => {
      if (hasEnded) return "";
      const record = await read();
      return record ? end(stream.end(withoutIndex(endOf(record, epochSeconds(clock))), record)) : "";
    };
    return {
      opening: () =>
        next(async () => {
          const record = await read();
          return aguiFrames([
            ...stream.opening(record?.output.session_state ?? {}),
            ...(before ? stream.startOver() : []),
            ...(ignored ? [...ignoredHistory(input, record), ...ignoredMessages(input, ignored)] : []),
          ]);
        }),
      of: (event) => next(() => ofEvent(event)),
      stateChanged: (changes) => next(() => (hasEnded ? "" : aguiFrames(stream.stateChanged(changes)))),
      goesOn: () => next(() => (hasEnded ? "" : end(stream.goesOn()))),
      closing: () => next(closing),
    };
  };
}

/** Clients of before 1.0 do not say their version, and know results of tools as text only. */
export const takesParts = ({ protocolVersion }: Pick<RunAgentInput, "protocolVersion">): boolean =>
  typeof protocolVersion === "string";

/** How a run ended whose last event is not in the record. */
function endOf(run: StoredRun, now: number) {
  const source: EventSource = eventSource(run);
  if (run.status === "CANCELLED") return cancelledEvent(source, now, "The run was cancelled.");
  return errorEvent(
    source,
    now,
    run.status === "ERROR" ? errorText(run.output) : `The run is ${run.status}.`,
  );
}

/** A thread that is new here may have a history at its client, of which the model is shown nothing. */
function ignoredHistory(
  { messages, threadId }: Pick<RunAgentInput, "messages" | "threadId">,
  run: StoredRun | undefined,
): Event[] {
  const count = messages.findLastIndex(({ role }) => role === "assistant") + 1;
  if (!run?.opens_session || count === 0) return [];
  const value = { threadId, messages: count, reason: "the session holds the history, and this one is new" };
  return [custom("history_ignored", value)];
}

function ignoredMessages(
  { threadId }: Pick<RunAgentInput, "threadId">,
  messages: readonly IgnoredMessage[],
): Event[] {
  return messages.length === 0 ? [] : [custom("messages_ignored", { threadId, messages })];
}

const custom = (name: string, value: unknown): Event => ({ type: EventType.CUSTOM, name, value });
