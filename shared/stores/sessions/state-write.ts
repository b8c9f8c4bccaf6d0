import { mergeState, type StateProgress } from "../../domain/sessions/merge-state.ts";
import type { SessionValues } from "../../domain/sessions/state-changes.ts";
import { ownMember } from "../../schemas/values/own-member.ts";
import type { Db } from "../db.ts";
import type { StoredSession } from "./session-item.ts";
import { type SpilledState, spillState } from "./spill-session.ts";

/** A session's state as it was read. */
export type StateRead = {
  readonly state: SessionValues;
  /** The number that every change of it raises. */
  readonly version: number | undefined;
  /** Whether it is known to be an object beside the session's item. */
  readonly isLarge?: boolean;
};

/**
 * @param session  with its large state; see `wholeSession`
 * @param isLarge  see `StateRead`
 */
export const stateRead = (
  session: Pick<StoredSession, "session_state" | "state_version">,
  isLarge = false,
): StateRead => ({ state: session.session_state, version: session.state_version, isLarge });

/** A change of a session's state that is refused where another one was first. */
export type StateWrite =
  /** Refused where one of the keys has another value than was `seen`, undefined for none, or the state is an object. */
  | { readonly keys: readonly { readonly key: string; readonly value: unknown; readonly seen: unknown }[] }
  /**
   * For a state that has no room in its item, and for more keys than one write can name. Refused where anything of the
   * state was changed since this version.
   */
  | { readonly whole: SpilledState; readonly version: number | undefined };

export type PlannedState = {
  /** Undefined where the session has everything already. */
  readonly write: StateWrite | undefined;
  /** See `MergedState`. */
  readonly conflicts: readonly string[];
};

/** DynamoDB limits an expression to 4 KB. */
const MOST_KEYS = 80;

/**
 * Merges what a run has changed into its session's state, and plans the write of the keys that differ then. The object of
 * a large state is written when this returns.
 */
export async function planState(
  db: Db,
  at: { readonly owner: string | null; readonly session_id: string },
  { state, version, isLarge = false }: StateRead,
  progress: StateProgress,
): Promise<PlannedState> {
  const { state: merged, changed, conflicts } = mergeState(state, progress);
  const keys = Object.entries(changed).map(([key, value]) => ({ key, value, seen: ownMember(state, key) }));
  if (keys.length === 0) return { write: undefined, conflicts };
  const whole = await spillState(db, at, merged);
  const fits = !isLarge && whole.state_large === undefined && keys.length <= MOST_KEYS;
  return { write: fits ? { keys } : { whole, version }, conflicts };
}
