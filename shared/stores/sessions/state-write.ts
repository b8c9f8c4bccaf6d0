import { mergeState, type StateProgress } from "../../domain/sessions/merge-state.ts";
import type { SessionValues } from "../../domain/sessions/state-changes.ts";
import type { Db } from "../db.ts";
import type { StoredSession } from "./session-item.ts";
import { type SpilledState, spillState } from "./spill-session.ts";

/** A session's state as it was read, with the number that every change of it raises. */
export type StateRead = { readonly state: SessionValues; readonly version: number | undefined };

/** @param session  with its large state; see `wholeSession` */
export const stateRead = (session: Pick<StoredSession, "session_state" | "state_version">): StateRead => ({
  state: session.session_state,
  version: session.state_version,
});

/** A change of a session's state that is refused where another one was first. */
export type StateWrite = {
  /** The version that it was made from. */
  readonly version: number | undefined;
} & (
  | { readonly keys: SessionValues }
  /** For a state that has no room in its item, and for more keys than one write can name. */
  | { readonly whole: SpilledState }
);

export type PlannedState = {
  /** Undefined where the session has everything already. */
  readonly write: StateWrite | undefined;
  /** See `MergedState`. */
  readonly conflicts: readonly string[];
};

/** DynamoDB limits an expression to 4 KB. */
const MOST_KEYS = 100;

/**
 * Merges what a run has changed into its session's state, and plans the write of the keys that differ then. The object of
 * a large state is written when this returns.
 */
export async function planState(
  db: Db,
  at: { readonly owner: string | null; readonly session_id: string },
  { state, version }: StateRead,
  progress: StateProgress,
): Promise<PlannedState> {
  const { state: merged, changed, conflicts } = mergeState(state, progress);
  const count = Object.keys(changed).length;
  if (count === 0) return { write: undefined, conflicts };
  const whole = await spillState(db, at, merged);
  const fits = whole.state_large === undefined && count <= MOST_KEYS;
  return { write: { version, ...(fits ? { keys: changed } : { whole }) }, conflicts };
}
