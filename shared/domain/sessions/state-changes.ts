import { ownMember } from "../../schemas/values/own-member.ts";
import { canonicalJson } from "../canonical-json.ts";

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
export function joinChanges(first: StateChange | undefined, next: StateChange): StateChange {
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
