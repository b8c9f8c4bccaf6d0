import type { Event, Message } from "@ag-ui/core";
import { aguiFrames } from "../../../shared/agui/agui-frame.ts";
import { aguiStream } from "../../../shared/agui/agui-stream.ts";
import { isBeginningOf, isEndOf } from "../../../shared/domain/runs/terminal-events.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import type { RunAgentInput } from "../../../shared/schemas/agui/run-agent-input.ts";
import type { RecordedEvent } from "../../../shared/schemas/runs/run-event.ts";
import {
  cancelledEvent,
  type EventSource,
  errorEvent,
  eventSource,
} from "../../../shared/stores/runs/event-base.ts";
import { getRun } from "../../../shared/stores/runs/get-run.ts";
import type { StoredRun } from "../../../shared/stores/runs/run-item.ts";
import { type EventFrames, type FramedRun, withoutIndex } from "../foreground/event-frames.ts";
import type { RunsDeps } from "../runs-deps.ts";

/** What a client has seen of a run in earlier streams. */
export type Seen = {
  readonly shownCalls: ReadonlySet<string>;
  readonly answeredCalls: ReadonlySet<string>;
};
export const nothingSeen: Seen = { shownCalls: new Set(), answeredCalls: new Set() };

type Needs = Pick<RunsDeps, "db" | "clock">;

/**
 * The frames of AG-UI for the events of one run. The record is read at its beginning and its end, for the session's state.
 *
 * @param before  the thread before the run, given where its client may have parts of the run's messages already
 */
export function aguiFramesOf(
  input: Pick<RunAgentInput, "runId" | "parentRunId" | "messages" | "threadId">,
  { db, clock }: Needs,
  seen: Seen = nothingSeen,
  before?: readonly Message[],
) {
  return (run: FramedRun): EventFrames => {
    const stream = aguiStream({
      run_id: run.run_id,
      session_id: run.session_id,
      runId: input.runId,
      parentRunId: input.parentRunId ?? undefined,
      messages: before ?? (input.messages as readonly Message[]), // as its client sent them
      ...seen,
    });
    const read = async (): Promise<StoredRun | undefined> => {
      const { owner, run_id, session_id } = run;
      return owner === undefined ? undefined : getRun(db, { owner, session_id, run_id }, epochSeconds(clock));
    };
    let hasBegun = false;
    let hasEnded = false;
    let ending: Promise<string> | undefined;
    const end = (events: Event[]): string => {
      hasEnded = true;
      return aguiFrames(events);
    };
    /** A cancelled run has two ends; the reads of both must not overtake each other. */
    const ofEnd = async (event: RecordedEvent, earlier: Promise<string> | undefined): Promise<string> => {
      await earlier;
      const record = await read();
      // A pause that was answered since; what follows is in the record too.
      if (/Paused$/.test(event.event) && record && record.status !== "PAUSED") return "";
      return hasEnded ? "" : end(stream.end(event, record));
    };
    return {
      opening: async () => {
        const record = await read();
        return aguiFrames([
          ...stream.opening(record?.output.session_state ?? {}),
          ...(before ? stream.startOver() : ignoredHistory(input, record)),
        ]);
      },
      of: (event) => {
        // The paused run as a whole, behind its pause.
        if (hasEnded || event.event === "WorkflowRunOutput") return "";
        if (isEndOf(run.run_id, event)) {
          ending = ofEnd(event, ending);
          return ending;
        }
        const startsOver = hasBegun && isBeginningOf(run.run_id, event);
        if (isBeginningOf(run.run_id, event)) hasBegun = true;
        return aguiFrames([...(startsOver ? stream.startOver() : []), ...stream.of(event)]);
      },
      goesOn: () => (hasEnded ? "" : end(stream.goesOn())),
      closing: async () => {
        await ending;
        if (hasEnded) return "";
        const record = await read();
        return record ? end(stream.end(withoutIndex(endOf(record, epochSeconds(clock))), record)) : "";
      },
    };
  };
}

/** How a run ended whose last event is not in the record. */
function endOf(run: StoredRun, now: number) {
  const source: EventSource = eventSource(run);
  if (run.status === "CANCELLED") return cancelledEvent(source, now, "The run was cancelled.");
  const { content } = run.output;
  return errorEvent(source, now, typeof content === "string" ? content : `The run is ${run.status}.`);
}

/** A thread that is new here may have a history at its client, of which the model is shown nothing. */
function ignoredHistory(
  { messages, threadId }: Pick<RunAgentInput, "messages" | "threadId">,
  run: StoredRun | undefined,
): Event[] {
  const count = messages.findLastIndex(({ role }) => role === "assistant") + 1;
  if (!run?.opens_session || count === 0) return [];
  const value = { threadId, messages: count, reason: "the session holds the history, and this one is new" };
  return [{ type: "CUSTOM" as never, name: "history_ignored", value }];
}
