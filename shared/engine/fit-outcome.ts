import type { Performed } from "./performed.ts";

/** Bytes of JSON that a run record may have; the service takes 400 KB an item, and the end event repeats the answer. */
const MAX_OUTPUT_BYTES = 300_000;

const TOO_LARGE =
  "The run finished, but its messages and answer are larger than a run record may be; they were not kept.";

/** Turns a run that cannot be stored into one that failed visibly. */
export function fitOutcome(performed: Performed): Performed {
  const { outcome, events } = performed;
  if (Buffer.byteLength(JSON.stringify(outcome.output)) <= MAX_OUTPUT_BYTES) return performed;
  const { messages: _m, tools: _t, ...output } = outcome.output;
  const last = events.events[events.events.length - 1];
  return {
    outcome: {
      status: "ERROR",
      cause: "internal",
      error: TOO_LARGE,
      output: { ...output, status: "ERROR", content: TOO_LARGE },
    },
    events: {
      ...events,
      events: last
        ? [...events.events.slice(0, -1), { ...baseOf(last), event: "RunError", content: TOO_LARGE }]
        : [],
    },
  };
}

function baseOf(event: Performed["events"]["events"][number]) {
  const { created_at, agent_id, agent_name, run_id, session_id, nested_depth, event_index } = event;
  return { created_at, agent_id, agent_name, run_id, session_id, nested_depth, event_index };
}
