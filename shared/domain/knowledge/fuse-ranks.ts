/**
 * Takes the edge off the first places. With the usual 60 the second of a list is worth nearly as much as the first, and what is in
 * the middle of both lists comes before what one of them is sure of. Measured with `npm run bench:search`.
 */
const FLATNESS = 5;

export type Ranking = { readonly keys: readonly string[]; readonly weight: number };

/**
 * One ranking of several, by reciprocal rank fusion: a key earns `weight / (5 + place)` in each ranking that has it.
 * Scores of different searches cannot be compared, places can.
 *
 * @returns the best first; keys that no ranking with a weight has are left out
 */
export function fuseRanks(rankings: readonly Ranking[]): string[] {
  const scores = new Map<string, number>();
  for (const { keys, weight } of rankings) {
    if (weight <= 0) continue;
    for (const [i, key] of keys.entries())
      scores.set(key, (scores.get(key) ?? 0) + weight / (FLATNESS + i + 1));
  }
  return [...scores].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).map(([key]) => key);
}
