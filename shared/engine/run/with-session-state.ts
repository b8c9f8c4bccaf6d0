import type { Execution } from "./execution.ts";
import type { RunState } from "./run-state.ts";

/** An unchanged session state is not repeated in every checkpoint, and the parent run saves one that is shared. */
export function withSessionState(state: RunState, { request, ports, sessionState }: Execution): RunState {
  const session_state = sessionState.current();
  const isOmitted = ports.sessionState !== undefined || session_state === request.session_state;
  return isOmitted ? state : { ...state, session_state };
}
