/** A name that differs in more of its characters means something else: naming it would mislead. */
const MAX_SHARE = 0.4;

/** The name that a misspelled one most likely means; undefined where none is near. How words are joined does not count. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const [nearest] = names
    .map((known) => ({ known, distance: distanceTo(plain(known), plain(name)) }))
    .sort((a, b) => a.distance - b.distance);
  if (nearest === undefined) return undefined;
  const longer = Math.max(plain(name).length, plain(nearest.known).length);
  return nearest.distance <= longer * MAX_SHARE ? nearest.known : undefined;
}

/** The end of a sentence that refuses a name; "" where no name is near. */
export function hintOf(nearest: string | undefined): string {
  return nearest === undefined ? "" : `; did you mean ${nearest}?`;
}

/** A word too many is one mistake: `overlap_policy` for `overlap`. */
const distanceTo = (known: string, name: string): number =>
  known.length >= MIN_CHARS && name.startsWith(known) && name !== known ? 1 : editDistance(name, known);

/** `numHistoryRuns` and `num_history_runs` are one name. */
const plain = (name: string): string => name.replaceAll(/[_-]/g, "").toLowerCase();

/** A shorter name is near too many others. */
const MIN_CHARS = 6;
/** Characters by which a misspelled name differs: one too many, one missing, two swapped. */
const MAX_DISTANCE = 2;

/** The name that another one is most likely a misspelling of; undefined where it is a name of its own, or one of them. */
export function misspelledName(name: string, names: readonly string[]): string | undefined {
  if (name.length < MIN_CHARS || names.includes(name)) return undefined;
  const nearest = nearestName(name, names);
  return nearest !== undefined && editDistance(name, nearest) <= MAX_DISTANCE ? nearest : undefined;
}

/** Levenshtein distance, a row of the matrix at a time. */
export function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [i, left] of [...one].entries()) {
    const next = [i + 1];
    for (const [j, right] of [...other].entries()) {
      const replaced = (row[j] ?? 0) + (left === right ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
