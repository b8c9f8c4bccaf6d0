import type { AgentEventBody, TeamTaskEventBody } from "../../schemas/runs/run-event.ts";
import type { Execution } from "../run/execution.ts";

/** Text that is held back until a guard has seen it. The first of the two calls decides. */
export type HeldText = {
  /** By which the text is emitted. */
  readonly execution: Execution;
  readonly release: () => void;
  /** Drops the text; the other events are emitted. */
  readonly withhold: () => void;
};

/**
 * Holds back the events with text, and those after the first of them. With `stream_hold: "none"` clients that are connected get
 * them at once, and only the record waits.
 */
export function holdText(execution: Execution): HeldText {
  return holdsStream(execution) ? holdEvents(execution) : holdRecord(execution);
}

const holdsStream = ({ agent, ports }: Execution): boolean =>
  (agent.post_hooks.length > 0 && agent.stream_hold !== "none") || ports.guardsAround?.holdsStream === true;

function holdEvents(execution: Execution): HeldText {
  let held: (AgentEventBody | TeamTaskEventBody)[] | undefined = [];
  const end = (passes: (event: AgentEventBody["event"] | TeamTaskEventBody["event"]) => boolean) => () => {
    const events = held ?? [];
    held = undefined;
    for (const body of events) if (passes(body.event)) execution.emit(body);
  };
  return {
    execution: {
      ...execution,
      emit: (body) => {
        if (held && (held.length > 0 || body.event === "RunContent")) held.push(body);
        else execution.emit(body);
      },
    },
    release: end(() => true),
    withhold: end((event) => event !== "RunContent"),
  };
}

function holdRecord(execution: Execution): HeldText {
  const held = execution.ports.holdRecord?.(execution.request.run_id);
  return { execution, release: () => held?.release(), withhold: () => held?.withhold() };
}
