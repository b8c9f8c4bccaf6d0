import { detectLanguage } from "./detect-language.ts";
import { loadStems } from "./languages.ts";
import type { WeighedWord } from "./rank-parts.ts";
import { folded, wordsOf } from "./words-of.ts";

/**
 * What a chunk earns whose passage of so many words has all wanted words, as a share of its score; less by what the missing ones
 * weigh. A passage answers where its words stand together; three words are a phrase. Measured with `npm run bench:search`.
 */
const PASSAGES = [
  { words: 12, earns: 0.3 },
  { words: 3, earns: 0.3 },
];

/** A chunk that was found, with its text. */
export type ScoredText = { readonly score: number; readonly text: string };

/**
 * The same chunks, those first that have the wanted words close together. An index holds no places of words: they are read
 * from the texts, so this is for the few chunks that are shown.
 *
 * @param found  the best first; those of equal score stay in this order
 */
export async function closerFirst<T extends ScoredText>(
  found: readonly T[],
  words: readonly WeighedWord[],
): Promise<T[]> {
  const wanted = words.filter(({ isCommon }) => !isCommon);
  if (wanted.length < 2 || found.length < 2) return [...found];
  const numbers = new Map(wanted.flatMap(({ forms }, i) => forms.map((form) => [form, i] as const)));
  const weights = wanted.map(({ weight }) => weight);
  const scored: { chunk: T; score: number }[] = [];
  for (const chunk of found) {
    const places = await placesOf(chunk.text, numbers);
    const earned = PASSAGES.reduce(
      (sum, passage) => sum + passage.earns * shareWithin(places, weights, passage.words),
      0,
    );
    scored.push({ chunk, score: chunk.score * (1 + earned) });
  }
  return scored.sort((a, b) => b.score - a.score).map(({ chunk }) => chunk);
}

/** Where in a text a wanted word stands, in the order of the text; `word` is its number in the query. */
type Place = { readonly at: number; readonly word: number };

async function placesOf(text: string, numbers: ReadonlyMap<string, number>): Promise<Place[]> {
  const language = detectLanguage(text);
  const stem = (await loadStems([language])).get(language);
  // A stem is a word without its end: what begins with another letter is none of the wanted ones.
  const initials = new Set([...numbers.keys()].map((form) => form.charAt(0)));
  const places: Place[] = [];
  let at = 0;
  for (const { text: word, isFixed } of wordsOf(text)) {
    at += 1;
    if (!initials.has(folded(word.charAt(0)))) continue;
    const found = numbers.get(folded(isFixed || !stem ? word : stem(word)));
    if (found !== undefined) places.push({ at, word: found });
  }
  return places;
}

/** The greatest share of the wanted words, by their weights, that stand within `length` words of the text: 0 to 1. */
function shareWithin(places: readonly Place[], weights: readonly number[], length: number): number {
  const counts = weights.map(() => 0);
  let within = 0;
  let greatest = 0;
  let first = 0;
  for (const { at, word } of places) {
    if (counts[word] === 0) within += weights[word] ?? 0;
    counts[word] = (counts[word] ?? 0) + 1;
    for (let left = places[first]; left && left.at <= at - length; left = places[first]) {
      first += 1;
      const rest = (counts[left.word] ?? 0) - 1;
      counts[left.word] = rest;
      if (rest === 0) within -= weights[left.word] ?? 0;
    }
    greatest = Math.max(greatest, within);
  }
  return greatest / weights.reduce((sum, weight) => sum + weight, 0);
}
