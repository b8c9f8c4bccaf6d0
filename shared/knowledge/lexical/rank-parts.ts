import type { Wanted } from "./index-words.ts";
import { compounding } from "./languages.ts";
import { eachPosting, findWord, type Part, wordsBeginning, wordsEnding } from "./part.ts";

/**
 * BM25: how much repetitions of a word count, and how much the length of a chunk. Measured at 20,000 chunks: a `B` of 0.75
 * finds the answer among five in 88 of 100 questions, one of 0.4 in 91.
 */
const K1 = 1.2;
const B = 0.4;
/** Weight of a word of which the wanted one is only the head or the end: Sicherheitsventil, where Ventil is wanted. */
const COMPOUND_WEIGHT = 0.4;
/** Shorter words are in too many others. */
const COMPOUND_LETTERS = 5;
const MAX_COMPOUNDS = 50;

/** A chunk that was found, by its place. */
export type WordHit = {
  readonly contentId: string;
  /** Of the generation. */
  readonly hash: string;
  readonly position: number;
};

/**
 * The chunks that have the wanted words, best first, by BM25 over all parts together.
 *
 * @param owner  whose contents count in addition to the shared ones: null for none, undefined for all owners
 * @param top    how many at most
 */
export function rankParts(
  parts: readonly Part[],
  wanted: readonly Wanted[],
  owner: string | null | undefined,
  top: number,
): WordHit[] {
  const total = parts.reduce((sum, { chunks }) => sum + chunks, 0);
  if (total === 0) return [];
  const average = parts.reduce((sum, { totalWords }) => sum + totalWords, 0) / total;
  const places = parts.map((part) => wanted.map((word) => placesOf(part, word)));
  const weights = wanted.map((_, i) =>
    idf(
      total,
      parts.reduce((sum, part, p) => sum + frequency(part, places[p]?.[i] ?? []), 0),
    ),
  );
  const best = new Best(top);
  parts.forEach((part, p) => {
    const scores = scoresOf(part, places[p] ?? [], weights, average);
    const visible = part.contents.map(
      (content) => owner === undefined || content.owner === null || content.owner === owner,
    );
    for (let chunk = 0; chunk < part.chunks; chunk += 1) {
      const score = scores[chunk] ?? 0;
      if (score > 0 && score >= best.least && visible[part.contentOf[chunk] ?? 0]) best.add(p, chunk, score);
    }
  });
  const found = new Map<string, WordHit & { score: number }>();
  for (const { part, chunk, score } of best.sorted()) {
    const opened = parts[part];
    const content = opened?.contents[opened.contentOf[chunk] ?? 0];
    if (!opened || !content) continue;
    const position = opened.positionOf[chunk] ?? 0;
    const place = `${content.id}_${content.hash}_${position}`;
    // A chunk that a worker and its successor have both written may be in two parts.
    if (!found.has(place)) found.set(place, { contentId: content.id, hash: content.hash, position, score });
  }
  return [...found]
    .sort(([a, one], [b, other]) => other.score - one.score || (a < b ? -1 : 1))
    .map(([, { score: _, ...hit }]) => hit);
}

type Place = { readonly word: number; readonly weight: number };

function placesOf(part: Part, { forms, languages }: Wanted): Place[] {
  const exact = forms.map((form) => findWord(part, form)).filter((place) => place >= 0);
  const places = exact.map((word) => ({ word, weight: 1 }));
  const compounds = languages.some(
    (language) => part.languages.includes(language) && compounding.has(language),
  );
  return compounds ? [...places, ...compoundsOf(part, forms, exact)] : places;
}

/** Words of which the wanted one is a part, and for a wanted compound its parts. */
function compoundsOf(part: Part, forms: readonly string[], exact: readonly number[]): Place[] {
  const found = new Set<number>();
  for (const form of forms) {
    if (form.length < COMPOUND_LETTERS) continue;
    for (const word of wordsEnding(part, form, MAX_COMPOUNDS)) found.add(word);
    for (const word of wordsBeginning(part, form, MAX_COMPOUNDS)) found.add(word);
    for (const word of halvesOf(part, form)) found.add(word);
  }
  for (const word of exact) found.delete(word);
  return [...found].map((word) => ({ word, weight: COMPOUND_WEIGHT }));
}

/** What may stand between the words of a compound. */
const LINKS = ["", "s", "n", "en", "er", "es", "e"];
const LEAST_HALF = 4;

/** The two words that a compound is made of, if the index has both. */
function halvesOf(part: Part, form: string): number[] {
  if (form.length < 2 * LEAST_HALF) return [];
  for (let at = form.length - LEAST_HALF; at >= LEAST_HALF; at -= 1) {
    const end = findWord(part, form.slice(at));
    if (end < 0) continue;
    for (const link of LINKS) {
      const head = form.slice(0, at);
      if (!head.endsWith(link) || head.length - link.length < LEAST_HALF) continue;
      const start = findWord(part, head.slice(0, head.length - link.length));
      if (start >= 0) return [start, end];
    }
  }
  return [];
}

function frequency(part: Part, places: readonly Place[]): number {
  let sum = 0;
  for (const { word, weight } of places) {
    if (weight < 1) continue;
    eachPosting(part, word, () => {
      sum += 1;
    });
  }
  return sum;
}

const idf = (total: number, frequency: number): number => {
  const n = Math.min(total, frequency);
  return Math.log(1 + (total - n + 0.5) / (n + 0.5));
};

/** BM25, times the share of the wanted words that a chunk has: one with all of them is better than one with one often. */
function scoresOf(
  part: Part,
  places: readonly (readonly Place[])[],
  weights: readonly number[],
  average: number,
): Float32Array {
  const scores = new Float32Array(part.chunks);
  const matched = new Uint16Array(part.chunks);
  /** The last wanted word, counted from 1, that each chunk has: a word in two forms is one. */
  const lastOf = new Uint16Array(part.chunks);
  const { lengthOf } = part;
  places.forEach((forms, i) => {
    for (const { word, weight } of forms) {
      const factor = (weights[i] ?? 0) * weight * (K1 + 1);
      eachPosting(part, word, (chunk, count) => {
        const norm = K1 * (1 - B + (B * (lengthOf[chunk] ?? 0)) / average);
        scores[chunk] = (scores[chunk] ?? 0) + (factor * count) / (count + norm);
        if (lastOf[chunk] === i + 1) return;
        lastOf[chunk] = i + 1;
        matched[chunk] = (matched[chunk] ?? 0) + 1;
      });
    }
  });
  for (let chunk = 0; chunk < scores.length; chunk += 1) {
    const count = matched[chunk] ?? 0;
    if (count > 0) scores[chunk] = ((scores[chunk] ?? 0) * count) / places.length;
  }
  return scores;
}

type Entry = { readonly part: number; readonly chunk: number; readonly score: number };

/** Keeps the best entries: a heap with the least of them on top. */
class Best {
  private readonly heap: Entry[] = [];
  private readonly top: number;

  constructor(top: number) {
    this.top = top;
  }

  /** Lower scores need not be added. */
  get least(): number {
    return this.heap.length < this.top ? 0 : (this.heap[0]?.score ?? 0);
  }

  add(part: number, chunk: number, score: number): void {
    const entry = { part, chunk, score };
    if (this.heap.length < this.top) {
      this.heap.push(entry);
      this.rise(this.heap.length - 1);
    } else if (score > (this.heap[0]?.score ?? 0)) {
      this.heap[0] = entry;
      this.sink();
    }
  }

  sorted = (): Entry[] => this.heap.toSorted((a, b) => b.score - a.score);

  private rise(start: number): void {
    for (let i = start; i > 0; ) {
      const up = (i - 1) >>> 1;
      if (this.at(up) <= this.at(i)) return;
      this.swap(i, up);
      i = up;
    }
  }

  private sink(): void {
    for (let i = 0; ; ) {
      const left = 2 * i + 1;
      let least = i;
      if (left < this.heap.length && this.at(left) < this.at(least)) least = left;
      if (left + 1 < this.heap.length && this.at(left + 1) < this.at(least)) least = left + 1;
      if (least === i) return;
      this.swap(i, least);
      i = least;
    }
  }

  private at = (i: number): number => this.heap[i]?.score ?? 0;

  private swap(a: number, b: number): void {
    const [one, other] = [this.heap[a], this.heap[b]];
    if (!one || !other) return;
    this.heap[a] = other;
    this.heap[b] = one;
  }
}
