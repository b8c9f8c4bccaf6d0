/** The name that a misspelled one most likely means; undefined where there are none to choose from. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const byDistance = names.map((known) => ({ known, distance: editDistance(name, known) }));
  return byDistance.sort((a, b) => a.distance - b.distance)[0]?.known;
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
