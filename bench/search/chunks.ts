import type { Section } from "./corpus.ts";

/**
 * A chunk of the benchmark, with the heading that its text begins with, if it does. `section` is the section of the handbook
 * that it is, absent for one that only distracts; `file` is the file that it is from, of documentation of packages.
 */
export type Chunk = {
  readonly id: string;
  readonly text: string;
  readonly language: string;
  readonly heading?: string | undefined;
  readonly section?: Section;
  readonly file?: string;
};

const CHUNK_LETTERS = 800;
/** Letters of scripts that say as much with a third of them. */
const DENSE_LETTERS = 270;

/**
 * Every section as a chunk, then so many of lines drawn from the sections of a language, that they are `count`: these have
 * the words of real ones, and their headings are halves of two real ones. If there are more sections than that, it is the sections.
 *
 * @param withHeading  as a chunker of Markdown cuts; without it a chunk may have no word of its question
 */
export function chunksOf(sections: readonly Section[], count: number, withHeading: boolean): Chunk[] {
  const filled = sections.filter(({ text }) => text !== "");
  const random = randomFrom(7);
  const chunks: Chunk[] = filled.map((section, i) => ({
    id: String(i),
    language: section.language,
    ...headed(withHeading ? section.heading : undefined, section.text),
    section,
  }));
  const drawnFrom = Object.entries(Object.groupBy(filled, ({ language }) => language)).map(
    ([language, some = []]) => ({
      language,
      headings: some.map(({ heading }) => heading),
      lines: some.flatMap(({ text }) => text.split("\n").filter((line) => line.length > 10)),
    }),
  );
  const drawn = (of: readonly string[]): string => of[Math.floor(random() * of.length)] ?? "";
  while (chunks.length < count) {
    const from = drawnFrom[chunks.length % drawnFrom.length];
    if (!from) break;
    const { language, headings, lines } = from;
    const letters = language === "ja" || language === "zh" ? DENSE_LETTERS : CHUNK_LETTERS;
    let text = "";
    while (text.length < letters) text += `${drawn(lines)}\n`;
    const [one, other] = [drawn(headings), drawn(headings)];
    const heading = one.slice(0, one.length / 2) + other.slice(other.length / 2);
    chunks.push({ id: String(chunks.length), language, ...headed(withHeading ? heading : undefined, text) });
  }
  return chunks;
}

const headed = (heading: string | undefined, text: string): Pick<Chunk, "heading" | "text"> =>
  heading === undefined ? { text } : { heading, text: `${heading}\n\n${text}` };

/** Numbers from 0 to 1 that are the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
