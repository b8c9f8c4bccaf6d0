import type { Section } from "./corpus.ts";

/** A chunk of the benchmark; `section` is the one that it is, and absent for one that only distracts. */
export type Chunk = {
  readonly id: string;
  readonly text: string;
  readonly language: string;
  readonly section?: Section;
};

const CHUNK_LETTERS = 800;
/** Letters of scripts that say as much with a third of them. */
const DENSE_LETTERS = 270;

/**
 * Every section as a chunk, then so many of lines drawn from the sections of a language, that they are `count`: these have
 * the words of real ones. If there are more sections than that, it is the sections.
 *
 * @param withHeading  as a chunker of Markdown cuts; without it a chunk may have no word of its question
 */
export function chunksOf(sections: readonly Section[], count: number, withHeading: boolean): Chunk[] {
  const filled = sections.filter(({ text }) => text !== "");
  const random = randomFrom(7);
  const chunks: Chunk[] = filled.map((section, i) => ({
    id: String(i),
    language: section.language,
    text: withHeading ? `${section.heading}\n\n${section.text}` : section.text,
    section,
  }));
  const lines = Object.entries(Object.groupBy(filled, ({ language }) => language)).map(
    ([language, some = []]) =>
      [language, some.flatMap(({ text }) => text.split("\n").filter((line) => line.length > 10))] as const,
  );
  while (chunks.length < count) {
    const [language, of] = lines[chunks.length % lines.length] ?? ["en", []];
    const letters = language === "ja" || language === "zh" ? DENSE_LETTERS : CHUNK_LETTERS;
    let text = "";
    while (text.length < letters) text += `${of[Math.floor(random() * of.length)] ?? ""}\n`;
    chunks.push({ id: String(chunks.length), language, text });
  }
  return chunks;
}

/** Numbers from 0 to 1 that are the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
