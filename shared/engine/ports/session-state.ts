import { jsonCopy } from "./json-copy.ts";

type JsonObject = Readonly<Record<string, unknown>>;

/** The state of a session while a run works on it. Tool calls of one batch share it. */
export type SessionState = {
  readonly current: () => JsonObject;
  /**
   * Sets the keys that `changes` names and leaves the others alone.
   *
   * @returns the whole state after the change
   * @throws TypeError when a value cannot be stored; then nothing changes
   */
  readonly update: (changes: JsonObject) => JsonObject;
};

/** Hears of each change: the keys that it set, with their values. */
export type StateChanged = (changes: JsonObject) => void;

/** Opens the state from a run's request, or from its last step. */
export function openSessionState(initial: JsonObject, changed?: StateChanged): SessionState {
  let state = initial;
  return {
    current: () => state,
    update: (changes) => {
      const copy = jsonCopy(changes);
      state = { ...state, ...copy };
      changed?.(copy);
      return state;
    },
  };
}

/** A state that is shared with others, with values for the keys that it does not have. */
export function withInitialState(shared: SessionState, initial: JsonObject | undefined): SessionState {
  if (!initial) return shared;
  return {
    current: () => ({ ...initial, ...shared.current() }),
    update: (changes) => ({ ...initial, ...shared.update(changes) }),
  };
}
