import { type Event, EventType, PROTOCOL_VERSION } from "@ag-ui/core";
import type { RecordedEvent } from "../schemas/runs/run-event.ts";
import type { StoredRun } from "../stores/runs/run-item.ts";
import type { Json } from "./session-state.ts";
import { translateEnd } from "./translate-end.ts";
import { translateEvent } from "./translate-event.ts";
import { type AguiStreamOf, closeAll, OWN, translationOf } from "./translation.ts";

/**
 * Translates the events of one run, in their order, to those of AG-UI. What its events are:
 *
 *   text, reasoning      TEXT_MESSAGE_*, REASONING_*; ids are the same whenever the run is streamed again
 *   tool calls           TOOL_CALL_START, ARGS, END before the call, RESULT after it; also for calls that wait for a person
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
  const stream = translationOf(of);
  return {
    /** The first events. @param before  the state of the session as the run begins */
    opening: (before: Json): Event[] => [started(of), stream.state.snapshot(before)],
    /** Keys of the session's state that the run has set just now. */
    stateChanged: stream.state.changed,
    /** Anything but the end of this run. */
    of: (event: RecordedEvent): Event[] => translateEvent(stream, event),
    /** An attempt that starts over: what the one before it has shown is void. */
    startOver: (): Event[] => [
      ...closeAll(stream),
      { type: EventType.MESSAGES_SNAPSHOT, messages: [...of.messages] },
    ],
    /** The end of this run, or its pause. @param run  as read after the event; undefined where there is none */
    end: (event: RecordedEvent, run: StoredRun | undefined): Event[] => translateEnd(stream, event, run),
    /** The last events where the run goes on without this stream. */
    goesOn: (): Event[] => [
      ...closeAll(stream),
      {
        type: EventType.RUN_ERROR,
        code: "run_continues",
        message: `The run goes on in the background. Follow it with forwardedProps {"follow":"${of.run_id}"}.`,
      },
    ],
  };
}

const started = ({ run_id, session_id, runId, parentRunId }: AguiStreamOf): Event => ({
  type: EventType.RUN_STARTED,
  threadId: session_id,
  runId,
  protocolVersion: PROTOCOL_VERSION,
  ...(parentRunId !== undefined && { parentRunId }),
  metadata: { [OWN]: { run_id, session_id } },
});
