import type { Wanted } from "./index-words.ts";
import { compounding } from "./languages.ts";
import { eachPosting, findWord, type Part, wordsBeginning, wordsEnding } from "./part.ts";

/**
 * BM25: how much repetitions of a word count, and how much the length of a chunk. Measured with `npm run bench:search`:
 * smaller and larger values of both find less.
 */
const K1 = 1.6;
const B = 0.5;
/** How much of its score a chunk keeps for its words alone; the rest is for the share of the wanted words that it has. */
const ANY_WORDS = 0.2;
/** What a word counts of which the wanted one is only the head or the end: Sicherheitsventil, where Ventil is wanted. */
const COMPOUND_WEIGHT = 0.4;
/** Shorter words are in too many others. */
const COMPOUND_LETTERS = 5;
const MAX_COMPOUNDS = 50;

/** What every further chunk of a content counts: a reader who is shown another content learns more. */
const FURTHER_CHUNK = 0.7;
/** So many more are ranked than are wanted, since further chunks make room for others. */
const RANKED = 2;

/** A chunk that was found, by its place. */
export type WordHit = {
  readonly contentId: string;
  /** Of the generation. */
  readonly hash: string;
  readonly position: number;
  /** Comparable with those of the same search alone. */
  readonly score: number;
};

/** A wanted word, and how rare it is in what was searched: 0 or more. */
export type WeighedWord = Wanted & { readonly weight: number };

/** What was found, the best first, and for which words. */
export type WordRanking = { readonly hits: readonly WordHit[]; readonly words: readonly WeighedWord[] };

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
): WordRanking {
  const total = parts.reduce((sum, { chunks }) => sum + chunks, 0);
  if (total === 0) return { hits: [], words: [] };
  const average = parts.reduce((sum, { totalWords }) => sum + totalWords, 0) / total;
  const counted = parts.map((part) => wanted.map((word) => countsOf(part, word)));
  const words = wanted.map((word, i) => ({
    ...word,
    weight: idf(
      total,
      counted.reduce((sum, counts) => sum + (counts[i]?.chunks ?? 0), 0),
    ),
  }));
  const best = new Best(top * RANKED);
  parts.forEach((part, p) => {
    const scores = scoresOf(part, counted[p] ?? [], words, average);
    const visible = part.contents.map(
      (content) => owner === undefined || content.owner === null || content.owner === owner,
    );
    for (let chunk = 0; chunk < part.chunks; chunk += 1) {
      const score = scores[chunk] ?? 0;
      if (score > 0 && score >= best.least && visible[part.contentOf[chunk] ?? 0]) best.add(p, chunk, score);
    }
  });
  const found = new Map<string, WordHit>();
  for (const { part, chunk, score } of best.sorted()) {
    const opened = parts[part];
    const content = opened?.contents[opened.contentOf[chunk] ?? 0];
    if (!opened || !content) continue;
    const position = opened.positionOf[chunk] ?? 0;
    const place = `${content.id}_${content.hash}_${position}`;
    // A chunk that a worker and its successor have both written may be in two parts.
    if (!found.has(place)) found.set(place, { contentId: content.id, hash: content.hash, position, score });
  }
  const ranked = inOrder([...found]);
  const shown = new Set<string>();
  const discounted = ranked.map(([place, hit]): Scored => {
    const score = shown.has(hit.contentId) ? hit.score * FURTHER_CHUNK : hit.score;
    shown.add(hit.contentId);
    return [place, { ...hit, score }];
  });
  const hits = inOrder(discounted)
    .slice(0, top)
    .map(([, hit]) => hit);
  return { hits, words };
}

type Scored = readonly [place: string, hit: WordHit];

/** The best first. */
const inOrder = (hits: readonly Scored[]): Scored[] =>
  hits.toSorted(([a, one], [b, other]) => other.score - one.score || (a < b ? -1 : 1));

type Place = { readonly word: number; readonly weight: number };

function placesOf(part: Part, { forms, languages, isCommon }: Wanted): Place[] {
  const exact = forms.map((form) => findWord(part, form)).filter((place) => place >= 0);
  const places = exact.map((word) => ({ word, weight: 1 }));
  const compounds =
    !isCommon && languages.some((language) => part.languages.includes(language) && compounding.has(language));
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

type Counted = {
  /** By chunk. */
  readonly counts: Float32Array;
  /** How many chunks have the word. */
  readonly chunks: number;
};

/**
 * How often each chunk has a wanted word; undefined where none has it. The word in another form is the same word, and so are
 * the compounds that it is in: together they count as one word that is as frequent as all of them.
 */
function countsOf(part: Part, wanted: Wanted): Counted | undefined {
  const places = placesOf(part, wanted);
  if (places.length === 0) return undefined;
  const counts = new Float32Array(part.chunks);
  let chunks = 0;
  for (const { word, weight } of places) {
    eachPosting(part, word, (chunk, count) => {
      const before = counts[chunk] ?? 0;
      if (before === 0) chunks += 1;
      counts[chunk] = before + count * weight;
    });
  }
  return { counts, chunks };
}

const idf = (total: number, frequency: number): number =>
  Math.log(1 + (total - frequency + 0.5) / (frequency + 0.5));

/**
 * BM25, less for a chunk that has a smaller share of the wanted words: one with all of them is better than one with one
 * often. The share is of words that are not common, since a long chunk has all of those; one without any is not found.
 */
function scoresOf(
  { chunks, lengthOf }: Part,
  counted: readonly (Counted | undefined)[],
  words: readonly WeighedWord[],
  average: number,
): Float32Array {
  const scores = new Float32Array(chunks);
  const matched = new Uint16Array(chunks);
  const sought = words.filter(({ isCommon }) => !isCommon).length;
  words.forEach(({ isCommon, weight }, i) => {
    const counts = counted[i]?.counts;
    if (!counts) return;
    for (let chunk = 0; chunk < chunks; chunk += 1) {
      const count = counts[chunk] ?? 0;
      if (count === 0) continue;
      const norm = K1 * (1 - B + (B * (lengthOf[chunk] ?? 0)) / average);
      scores[chunk] = (scores[chunk] ?? 0) + (weight * count * (K1 + 1)) / (count + norm);
      if (!isCommon) matched[chunk] = (matched[chunk] ?? 0) + 1;
    }
  });
  for (let chunk = 0; chunk < chunks; chunk += 1) {
    const share = (matched[chunk] ?? 0) / sought;
    scores[chunk] = share > 0 ? (scores[chunk] ?? 0) * (ANY_WORDS + (1 - ANY_WORDS) * share) : 0;
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
