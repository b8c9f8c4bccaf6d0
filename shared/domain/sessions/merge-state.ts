import { ownMember } from "../../schemas/values/own-member.ts";
import { valueDigest } from "./pending-state.ts";
import {
  newValues,
  type SessionValues,
  type StateChanges,
  withChanges,
  withoutChanges,
} from "./state-changes.ts";

/** What a run changes in its session's state when it pauses or ends. */
export type StateProgress = {
  readonly changes: StateChanges;
  /** Digests of the values that the run has replaced, by key. */
  readonly replaced: Readonly<Record<string, string>>;
  /** What an earlier execution of the run wrote, which this one has made again in `changes`. */
  readonly repeats?: StateChanges | undefined;
};

export type MergedState = {
  /** The whole state after the merge. */
  readonly state: SessionValues;
  /** The keys whose values differ from what the session has, with their new values. */
  readonly changed: SessionValues;
  /**
   * Keys that the run sets although others have changed them since it read them, also where both set the same value:
   * two runs that count from 0 both set 1.
   */
  readonly conflicts: readonly string[];
};

/**
 * Merges what a run has changed into its session's state as it is now.
 *
 * @param latest  the state as the session has it, with what others have written meanwhile
 */
export function mergeState(
  latest: SessionValues,
  { changes, replaced, repeats = {} }: StateProgress,
): MergedState {
  const state = withChanges(withoutChanges(latest, repeats), changes);
  const conflicts = Object.entries(changes).flatMap(([key, change]) => {
    const seen = "set" in change ? ownMember(replaced, key) : undefined;
    return seen === undefined || seen === valueDigest(ownMember(latest, key)) ? [] : [key];
  });
  return { state, changed: newValues(state, latest), conflicts: conflicts.sort() };
}
