/** The name that a misspelled one most likely means; undefined where there are none to choose from. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const byDistance = names.map((known) => ({ known, distance: editDistance(name, known) }));
  return byDistance.sort((a, b) => a.distance - b.distance)[0]?.known;
}

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
