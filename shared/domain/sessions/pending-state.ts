import { createHash } from "node:crypto";
import { ownMember } from "../../schemas/values/own-member.ts";
import { canonicalJson } from "../canonical-json.ts";
import { joinChanges, type SessionValues, type StateChanges } from "./state-changes.ts";

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
export const valueDigest = (value: unknown): string =>
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
