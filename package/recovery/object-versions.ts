/** An entry of a key's history in a versioned bucket. */
export type ObjectEntry = {
  readonly id: string;
  /** When it was written. */
  readonly at: Date;
  /** Whether it says that the object was deleted. */
  readonly isMarker: boolean;
  /** Whether it is what the key holds now. */
  readonly isLatest: boolean;
  /** Of the bytes; absent for a marker. */
  readonly etag?: string | undefined;
};

/** What makes a key hold what it held at an instant. */
export type ObjectChange =
  | { readonly kind: "none" }
  /** Markers of deletion go, and what was deleted is there again. */
  | { readonly kind: "undelete"; readonly markers: readonly string[] }
  /** An earlier version becomes the newest. */
  | { readonly kind: "copy"; readonly version: string }
  /** It did not exist. */
  | { readonly kind: "remove" };

/** The newest first. Times have whole seconds, so what the key holds now is said beside them. */
export const newestFirst = (entries: readonly ObjectEntry[]): ObjectEntry[] =>
  entries.toSorted((a, b) => Number(b.isLatest) - Number(a.isLatest) || b.at.getTime() - a.at.getTime());

/**
 * Compares the history of a key with an instant.
 *
 * @param history  its entries, the newest first
 */
export function changeToInstant(history: readonly ObjectEntry[], instant: Date): ObjectChange {
  const [newest] = history;
  const then = history.find(({ at }) => at <= instant);
  const isThere = newest !== undefined && !newest.isMarker;
  if (then === undefined || then.isMarker) return isThere ? { kind: "remove" } : { kind: "none" };
  // A key is the checksum of its content nearly everywhere, so a later version mostly has the same bytes.
  if (isThere && newest.etag === then.etag) return { kind: "none" };
  const later = history.slice(0, history.indexOf(then));
  if (later.every(({ isMarker }) => isMarker))
    return { kind: "undelete", markers: later.map(({ id }) => id) };
  return { kind: "copy", version: then.id };
}
