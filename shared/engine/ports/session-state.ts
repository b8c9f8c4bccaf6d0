import {
  changeOf,
  joinedChanges,
  joinedWork,
  newValues,
  nothingPending,
  type PendingState,
  type SessionValues,
  type StateChanges,
  type StateReducers,
  withChanges,
  withoutWork,
  withReplaced,
  withWork,
} from "../../domain/sessions/session-state.ts";
import { ownMember } from "../../schemas/values/json-values.ts";
import { isStorable, STORABLE } from "../../schemas/values/storable.ts";

/** What an agent, a team or a workflow declares about the state of its sessions. */
export type DeclaredState = {
  /** What its sessions begin with; keys that a session has stay as they are. */
  readonly session_state?: SessionValues;
  readonly state?: StateReducers;
};

/**
 * The state of a session while a run works on it. The runs within a run share it, and so do the tool calls of a batch and
 * the branches of a workflow. It holds what the run has changed until that is written, with the run's pause or end.
 */
export type SessionState = {
  /** As it was read, with what the run has changed. */
  readonly current: () => SessionValues;
  /**
   * Opens it for one piece of work. If the same work was begun before and is executed again, what it changed then is
   * dropped.
   *
   * @param work  a tool call or a step, by a name that is the same when it is executed again
   */
  readonly open: (work: string) => StateView;
  /** Puts changes in place of those of a piece of work: it had ended before, and is not executed again. */
  readonly restore: (work: string, changes: StateChanges) => void;
  /** The same state as an agent, a team or a workflow within the run sees it. */
  readonly within: (component: DeclaredState) => SessionState;
  /** Notes that no work is under way that could be executed again. */
  readonly joinWork: () => void;
  /** What the run has changed and not written. */
  readonly pending: () => PendingState;
};

/** The state as one tool call or step sees it. */
export type StateView = {
  /** As it was when the work began, with what it has changed itself. */
  readonly current: () => SessionValues;
  /**
   * Sets the keys that `values` names and leaves the others alone. A key with a reducer keeps what others add to it
   * meanwhile.
   *
   * @returns the whole state after the change
   * @throws TypeError when a value cannot be stored; then nothing changes
   */
  readonly update: (values: SessionValues) => SessionValues;
  /** What the work has changed so far. */
  readonly changes: () => StateChanges;
};

/** Called with each change: the keys that it set, with the values that they have then. */
export type StateChanged = (values: SessionValues) => void;

export type StateOpening = {
  /** The session's state as it was read when this execution began. */
  readonly base: SessionValues;
  /** Sent with the request, for an execution that starts the run. */
  readonly requested?: SessionValues | undefined;
  /** What earlier executions of the run have changed and not written. */
  readonly pending?: PendingState | undefined;
  readonly changed?: StateChanged | undefined;
};

/** The work that a request's values stand for. */
const REQUEST = "request";

/** Opens the state of a session for one execution of a run. */
export function openSessionState(opening: StateOpening, component: DeclaredState = {}): SessionState {
  return seenBy(openChanges(opening), component);
}

type Changes = ReturnType<typeof openChanges>;

/** The base and everything that was changed since then, whoever in the run changed it. */
function openChanges({ base, requested = {}, pending: before = nothingPending, changed }: StateOpening) {
  let pending = before;
  let state = withChanges(base, joinedChanges(pending));
  const add = (work: string, changes: StateChanges) => {
    pending = withReplaced(withWork(pending, work, changes), changes, base);
    state = withChanges(state, changes);
  };
  const news = Object.entries(newValues(requested, base));
  if (news.length > 0) add(REQUEST, Object.fromEntries(news.map(([key, value]) => [key, { set: value }])));
  return {
    state: () => state,
    pending: () => pending,
    add(work: string, changes: StateChanges) {
      add(work, changes);
      changed?.(Object.fromEntries(Object.keys(changes).map((key) => [key, state[key]])));
    },
    drop(work: string) {
      const without = withoutWork(pending, work);
      if (without === pending) return;
      pending = without;
      state = withChanges(base, joinedChanges(pending));
    },
    of: (work: string): StateChanges => pending.entries.find((entry) => entry.work === work)?.changes ?? {},
    joinWork() {
      pending = joinedWork(pending);
    },
  };
}

function seenBy(
  changes: Changes,
  { session_state: initial = {}, state: reducers = {} }: DeclaredState,
): SessionState {
  const current = () => ({ ...initial, ...changes.state() });
  return {
    current,
    open(work) {
      changes.drop(work);
      let seen: SessionValues = current();
      return {
        current: () => seen,
        update(values) {
          const copy = jsonCopy(values);
          const made = Object.entries(copy).map(([key, value]) => [
            key,
            changeOf(ownMember(seen, key), value, ownMember(reducers, key), ownMember(initial, key)),
          ]);
          changes.add(work, Object.fromEntries(made));
          const own = Object.keys(changes.of(work));
          seen = { ...current(), ...picked(seen, own), ...copy };
          return seen;
        },
        changes: () => changes.of(work),
      };
    },
    restore(work, restored) {
      changes.drop(work);
      if (Object.keys(restored).length > 0) changes.add(work, restored);
    },
    within: (component) =>
      seenBy(changes, {
        session_state: { ...component.session_state, ...initial },
        state: { ...reducers, ...component.state },
      }),
    joinWork: changes.joinWork,
    pending: changes.pending,
  };
}

const picked = (values: SessionValues, keys: readonly string[]): SessionValues =>
  Object.fromEntries(keys.filter((key) => Object.hasOwn(values, key)).map((key) => [key, values[key]]));

/**
 * A copy of a value from a tool or a step, as the record of the run will hold it. Later changes of the original do not
 * reach it.
 *
 * @throws TypeError when JSON cannot express it (a cycle, a bigint), or the record cannot store it
 */
export function jsonCopy<Value>(value: Value): Value {
  const copy: Value = JSON.parse(JSON.stringify(value));
  if (isStorable(copy)) return copy;
  throw new TypeError(`the record of the run cannot hold that: ${STORABLE}`);
}
