import { type Cut, partsOf } from "./chunker.ts";
import { cutDocument, packed } from "./cut-document.ts";

/** Sentences that are compared at once: a longer text is cut by its paragraphs. */
const MOST_SENTENCES = 2_000;
/** The share of all neighbours between which a chunk ends: the least like each other. */
const BREAKS = 0.2;

/** Ends a chunk where a sentence is least like the one before it, and where it would be too large. */
export const cutSemantic: Cut = async (passage, sizes, embed) => {
  const sentences = (passage.text.match(/[^.!?\n]+[.!?]*\s*/g) ?? [])
    .map((one) => one.trim())
    .filter((one) => one !== "");
  if (sentences.length < 3 || sentences.length > MOST_SENTENCES) return cutDocument(passage, sizes, embed);
  const vectors = await embed(sentences);
  const likeness = vectors.slice(1).map((vector, i) => product(vector, vectors[i] ?? []));
  const threshold = likeness.toSorted((a, b) => a - b)[Math.floor(likeness.length * BREAKS)] ?? -1;
  const groups: string[][] = [[]];
  for (const [i, sentence] of sentences.entries()) {
    const like = likeness[i - 1];
    if (like !== undefined && like < threshold) groups.push([]);
    groups.at(-1)?.push(sentence);
  }
  const cut = await Promise.all(
    groups.map((group) =>
      cutDocument({ ...passage, text: packed(group, sizes, " ").join("\n\n") }, sizes, embed),
    ),
  );
  return partsOf(
    passage,
    cut.flat().map(({ text }) => text),
  );
};

const product = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);
