import type { StateReducers } from "../../domain/sessions/session-state.ts";

/** What an agent, a team or a workflow brings to its runs itself; what a request or the session has takes precedence. */
export type OwnInputs = {
  /** Values for its tools and its prompt; those of a request replace them by name. */
  readonly dependencies?: Readonly<Record<string, unknown>>;
  /** What its sessions begin with; keys that a session has stay as they are. */
  readonly session_state?: Readonly<Record<string, unknown>>;
  /**
   * How keys of the state are merged that several runs change at the same time: `add` sums numbers, `append` keeps the
   * items of all lists. The last writer's value stays where nothing is declared.
   */
  readonly state?: StateReducers;
};

type Inputs = {
  readonly dependencies?: Readonly<Record<string, unknown>>;
  readonly session_state: Readonly<Record<string, unknown>>;
};

/** A request with what the runnable brings itself; the same request where it brings nothing. */
export function withOwnInputs<R extends Inputs>({ dependencies, session_state }: OwnInputs, request: R): R {
  return {
    ...request,
    ...(dependencies && { dependencies: { ...dependencies, ...request.dependencies } }),
    ...(session_state && { session_state: { ...session_state, ...request.session_state } }),
  };
}
