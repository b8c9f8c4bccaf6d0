import { createHash } from "node:crypto";
import { canonicalJson, ownMember } from "../../schemas/values/json-values.ts";

export type SessionValues = Readonly<Record<string, unknown>>;

/** How runs that change a key at the same time are merged; without a reducer the last writer's value stays. */
export const stateReducers = ["add", "append"] as const;
export type StateReducer = (typeof stateReducers)[number];
export type StateReducers = Readonly<Record<string, StateReducer>>;

/**
 * What happened to one key of a session's state. A relative change has in `from` what its component begins with, for a
 * session that does not have the key.
 */
export type StateChange =
  | { readonly set: unknown }
  | { readonly add: number; readonly from?: number }
  | { readonly append: readonly unknown[]; readonly from?: readonly unknown[] };
export type StateChanges = Readonly<Record<string, StateChange>>;

/**
 * The change that leads from one value of a key to the next. A number that is no number any more, or a list that was
 * rewritten, is set, whatever the reducer.
 *
 * @param initial  what the component begins with
 */
export function changeOf(
  before: unknown,
  after: unknown,
  reducer: StateReducer | undefined,
  initial: unknown,
): StateChange {
  if (reducer === "add" && isNumber(after) && isNumber(before ?? 0)) {
    return { add: after - Number(before ?? 0), ...(isNumber(initial) && { from: initial }) };
  }
  if (reducer === "append" && Array.isArray(after) && Array.isArray(before ?? [])) {
    const list: readonly unknown[] = Array.isArray(before) ? before : [];
    if (isSameValue(after.slice(0, list.length), list)) {
      return { append: after.slice(list.length), ...(Array.isArray(initial) && { from: initial }) };
    }
  }
  return { set: after };
}

/** Two changes of a key as one. */
function joinChanges(first: StateChange | undefined, next: StateChange): StateChange {
  if (!first || "set" in next) return next;
  if ("set" in first) return { set: changed(first.set, next) };
  if ("add" in first && "add" in next) return { ...next, add: first.add + next.add };
  if ("append" in first && "append" in next) return { ...next, append: [...first.append, ...next.append] };
  return next;
}

/** A state with changes made to it. */
export const withChanges = (state: SessionValues, changes: StateChanges): SessionValues =>
  Object.fromEntries([
    ...Object.entries(state),
    ...Object.entries(changes).map(([key, change]) => [key, changed(ownMember(state, key), change)] as const),
  ]);

function changed(value: unknown, change: StateChange): unknown {
  if ("set" in change) return change.set;
  if ("add" in change) return (isNumber(value) ? value : (change.from ?? 0)) + change.add;
  return [...(Array.isArray(value) ? value : (change.from ?? [])), ...change.append];
}

/** The relative ones of some changes: those that would count twice if they were made again. */
export const relativeChanges = (changes: StateChanges): StateChanges =>
  Object.fromEntries(Object.entries(changes).filter(([, change]) => !("set" in change)));

/**
 * A state without changes that were made to it before. What was appended is taken out where it stands; what others have
 * rewritten since then stays as it is.
 */
export const withoutChanges = (state: SessionValues, changes: StateChanges): SessionValues =>
  Object.fromEntries(
    Object.entries(state).map(([key, value]) => {
      const change = ownMember(changes, key);
      return [key, change ? unchanged(value, change) : value];
    }),
  );

function unchanged(value: unknown, change: StateChange): unknown {
  if ("add" in change && isNumber(value)) return value - change.add;
  if ("append" in change && Array.isArray(value)) return withoutPart(value, change.append);
  return value;
}

/** A list without the last place where another one stands in it. */
function withoutPart(list: readonly unknown[], part: readonly unknown[]): readonly unknown[] {
  for (let at = list.length - part.length; at >= 0; at -= 1) {
    if (isSameValue(list.slice(at, at + part.length), part))
      return [...list.slice(0, at), ...list.slice(at + part.length)];
  }
  return list;
}

/** The values that a state does not have already. */
export const newValues = (values: SessionValues, state: SessionValues): SessionValues =>
  Object.fromEntries(
    Object.entries(values).filter(([key, value]) => !isSameValue(value, ownMember(state, key))),
  );

/** Whether two values are equal, in whatever order their members stand. */
export const isSameValue = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b);

const isNumber = (value: unknown): value is number => typeof value === "number";

/** The changes that one piece of work made: a tool call, or a step of a workflow. */
type WorkChanges = { readonly work: string; readonly changes: StateChanges };

/**
 * What a run has changed in its session's state and not written yet, as plain JSON. Each piece of work has an entry, so
 * that one that is executed again after a crash begins without what it changed the first time.
 */
export type PendingState = {
  /** In the order in which they began. */
  readonly entries: readonly WorkChanges[];
  /** Digests of the values that the run has replaced, by key; see `valueDigest`. */
  readonly replaced: Readonly<Record<string, string>>;
};

export const nothingPending: PendingState = { entries: [], replaced: {} };

/** All entries as one change of each key. */
export const joinedChanges = ({ entries }: Pick<PendingState, "entries">): StateChanges =>
  entries.reduce<StateChanges>((all, { changes }) => joinedEntries(all, changes), {});

/** The pending changes with those of a piece of work added to its entry. */
export function withWork(pending: PendingState, work: string, changes: StateChanges): PendingState {
  const known = pending.entries.find((entry) => entry.work === work);
  const entry = { work, changes: joinedEntries(known?.changes ?? {}, changes) };
  const entries = known
    ? pending.entries.map((one) => (one === known ? entry : one))
    : [...pending.entries, entry];
  return { ...pending, entries };
}

/** The pending changes without those of a piece of work; the same value where it made none. */
export function withoutWork(pending: PendingState, work: string): PendingState {
  const entries = pending.entries.filter((entry) => entry.work !== work);
  return entries.length === pending.entries.length ? pending : { ...pending, entries };
}

/** The same changes in one entry, for a moment at which no work is under way that could be repeated. */
export const joinedWork = (pending: PendingState): PendingState =>
  pending.entries.length < 2
    ? pending
    : { ...pending, entries: [{ work: "joined", changes: joinedChanges(pending) }] };

/** The pending changes, with what the keys that changes set for the first time had in a state. */
export function withReplaced(
  pending: PendingState,
  changes: StateChanges,
  state: SessionValues,
): PendingState {
  const first = Object.keys(changes).filter(
    (key) => "set" in (changes[key] ?? {}) && !Object.hasOwn(pending.replaced, key),
  );
  if (first.length === 0) return pending;
  const digests = first.map((key) => [key, valueDigest(ownMember(state, key))]);
  return { ...pending, replaced: { ...pending.replaced, ...Object.fromEntries(digests) } };
}

/** A short digest of a value, the same for equal values; empty for a key that does not exist. */
const valueDigest = (value: unknown): string =>
  value === undefined
    ? ""
    : createHash("sha256").update(canonicalJson(value)).digest("base64url").slice(0, DIGEST_CHARS);

/** 96 bits. */
const DIGEST_CHARS = 16;

function joinedEntries(first: StateChanges, next: StateChanges): StateChanges {
  const joined = Object.entries(next).map(([key, change]) => [
    key,
    joinChanges(ownMember(first, key), change),
  ]);
  return { ...first, ...Object.fromEntries(joined) };
}

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

const DERIVED_NAME_CHARS = 200;

/** The name of a session until a user names it. @param input of its first run */
export const derivedName = (input: string): string => input.slice(0, DERIVED_NAME_CHARS);
