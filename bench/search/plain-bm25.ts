const K1 = 1.2;
const B = 0.75;
const TOP = 10;

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/**
 * What any search by words has to beat: BM25 as textbooks have it, over runs of letters and digits, without stems, stop
 * words or anything else that is ours.
 *
 * @returns a search for the places of texts, the best first
 */
export function plainBm25(texts: readonly string[]): (query: string) => number[] {
  const lists = texts.map(wordsOf);
  const average = lists.reduce((sum, { length }) => sum + length, 0) / lists.length;
  const postings = new Map<string, Map<number, number>>();
  for (const [place, words] of lists.entries())
    for (const word of words) {
      const counts = postings.get(word) ?? new Map<number, number>();
      postings.set(word, counts.set(place, (counts.get(place) ?? 0) + 1));
    }
  return (query) => {
    const scores = new Map<number, number>();
    for (const word of new Set(wordsOf(query))) {
      const counts = postings.get(word) ?? new Map<number, number>();
      const idf = Math.log(1 + (texts.length - counts.size + 0.5) / (counts.size + 0.5));
      for (const [place, count] of counts) {
        const norm = K1 * (1 - B + (B * (lists[place]?.length ?? 0)) / average);
        scores.set(place, (scores.get(place) ?? 0) + (idf * count * (K1 + 1)) / (count + norm));
      }
    }
    const best = [...scores].sort(([a, one], [b, other]) => other - one || a - b);
    return best.slice(0, TOP).map(([place]) => place);
  };
}
