import type { Execution } from "./execution.ts";
import type { RunState } from "./run-state.ts";

/** A state that nobody changed is not repeated in every checkpoint, and one that is shared is kept by its owner. */
export function withSessionState(state: RunState, { request, ports, sessionState }: Execution): RunState {
  const session_state = sessionState.current();
  const isKept = ports.sessionState !== undefined || session_state === request.session_state;
  return isKept ? state : { ...state, session_state };
}
