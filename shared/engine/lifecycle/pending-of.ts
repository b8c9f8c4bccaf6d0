import {
  changeOf,
  isSameValue,
  nothingPending,
  type PendingState,
  type SessionValues,
  type StateReducers,
  withReplaced,
  withWork,
} from "../../domain/sessions/session-state.ts";
import { isObject, ownMember } from "../../schemas/values/json-values.ts";
import type { Checkpoint } from "../../stores/runs/checkpoint.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";

/**
 * What a run has changed in its session's state and not written when its checkpoint was saved.
 *
 * One of an older version has the whole state instead. What the run has changed there is how that differs from the
 * record's: the state at its acceptance, or at its last pause. A run that has never paused owes the values of its request
 * too, which that version wrote with the first end or pause.
 */
export function pendingOf(
  run: StoredRun,
  { pending_state, whole_state }: Pick<Checkpoint<unknown>, "pending_state" | "whole_state">,
  reducers: StateReducers = {},
): PendingState {
  if (!whole_state) return pending_state ?? nothingPending;
  const before = run.output.session_state ?? {};
  const requested = run.digests === undefined && !run.opens_session ? requestedState(run) : {};
  const after = { ...requested, ...whole_state.session_state };
  const changed = Object.entries(after).filter(
    ([key, value]) => Object.hasOwn(requested, key) || !isSameValue(value, ownMember(before, key)),
  );
  if (changed.length === 0) return nothingPending;
  const changes = Object.fromEntries(
    changed.map(([key, value]) => [
      key,
      changeOf(
        ownMember(before, key),
        value,
        Object.hasOwn(requested, key) ? undefined : ownMember(reducers, key),
        undefined,
      ),
    ]),
  );
  return withReplaced(withWork(nothingPending, "before", changes), changes, before);
}

/** The values for the session's state that came with a run's request. */
export function requestedState({ kwargs }: Pick<StoredRun, "kwargs">): SessionValues {
  const { session_state } = kwargs;
  return isObject(session_state) ? session_state : {};
}
