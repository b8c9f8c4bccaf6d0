import { type Event, EventType } from "@ag-ui/core";
import { jsonPatch } from "../domain/json-patch.ts";

export type Json = Readonly<Record<string, unknown>>;

/** The session's state as the client knows it. */
export function sessionState() {
  let known: Json = {};
  const delta = (after: Json | undefined): Event[] => {
    if (after === undefined) return [];
    const patch = jsonPatch(known, after);
    known = after;
    return patch.length === 0 ? [] : [{ type: EventType.STATE_DELTA, delta: [...patch] }];
  };
  return {
    snapshot(state: Json): Event {
      known = state;
      return { type: EventType.STATE_SNAPSHOT, snapshot: state };
    },
    /** What differs from what the client knows; nothing where the state is not known. */
    delta,
    /** Keys that were set. */
    changed: (changes: Json): Event[] => delta({ ...known, ...changes }),
  };
}
