import { isStorable, STORABLE } from "../schemas/storable.ts";

type JsonObject = Readonly<Record<string, unknown>>;

/** The state of a session while a run works on it. Tool calls of one batch share it. */
export type SessionState = {
  readonly current: () => JsonObject;
  /**
   * Sets the keys that `changes` names and leaves the others alone.
   *
   * @returns the whole state after the change
   * @throws TypeError when JSON has no way to write a value (a cycle, a bigint), or the session's record none to keep
   *         it; nothing changes then
   */
  readonly update: (changes: JsonObject) => JsonObject;
};

/** Opens the state that a run was given, or that its last step left. */
export function openSessionState(initial: JsonObject): SessionState {
  let state = initial;
  return {
    current: () => state,
    update: (changes) => {
      // A copy by way of JSON: nobody keeps a hand on what got in.
      const copy: JsonObject = JSON.parse(JSON.stringify(changes));
      if (!isStorable(copy)) throw new TypeError(`the session state cannot hold that: ${STORABLE}`);
      state = { ...state, ...copy };
      return state;
    },
  };
}
