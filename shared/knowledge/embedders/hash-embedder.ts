import { normalized } from "./embedder.ts";

const HASH_DIMENSIONS = 512;

/** Words that carry no topic. */
const STOP_WORDS = new Set(
  (
    "a an and are as at be been but by can could did do does for from had has have he her his how i if in into is it its may more " +
    "must no not of on or our shall she should so some such than that the their them then there these they this those to too was " +
    "we were what when where which who whom why will with would you your"
  ).split(" "),
);

/**
 * A vector from the words of a text alone: the hash of each word, and of each pair of neighbours, selects one of 512
 * dimensions and the sign with which it is counted there. Texts with the same words are near each other.
 *
 * @decided  The embedder for local use and for tests: no network, no key, and the same vector everywhere. It ignores
 *           meaning, so "car" and "automobile" have nothing in common.
 */
export function hashVector(text: string): number[] {
  const counts = new Map<string, number>();
  const words = wordsOf(text);
  const pairs = words.slice(1).map((word, i) => `${words[i]} ${word}`);
  for (const token of [...words, ...pairs]) counts.set(token, (counts.get(token) ?? 0) + 1);
  const vector = new Array<number>(HASH_DIMENSIONS).fill(0);
  for (const [token, count] of counts) {
    const hash = fnv1a(token);
    const dimension = hash % HASH_DIMENSIONS;
    const sign = (hash >>> 16) & 1 ? 1 : -1;
    const weight = token.includes(" ") ? 0.5 : 1;
    vector[dimension] = (vector[dimension] ?? 0) + sign * weight * (1 + Math.log(count));
  }
  return normalized(vector);
}

function wordsOf(text: string): string[] {
  const words =
    text
      .toLowerCase()
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => !STOP_WORDS.has(word)).map(stem);
}

/** Removes endings, so that forms of one word count as the same: valves, priming, closed. */
function stem(word: string): string {
  if (word.length <= 4) return word.replace(/s$/, "");
  return word.replace(/(?:ies|ing|ed|es|s|e|y)$/, "");
}

/** 32-bit FNV-1a. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  // The low bits of short words differ little; one round of mixing spreads them.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
  return (hash ^ (hash >>> 13)) >>> 0;
}
