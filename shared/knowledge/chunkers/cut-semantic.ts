import { ContentFault } from "../content-fault.ts";
import { type Cut, partsOf } from "./chunker.ts";
import { cutDocument, packed } from "./cut-document.ts";

/** Most sentences that are compared: a longer text is cut by its paragraphs. */
const MAX_SENTENCES = 2_000;
/** The share of neighbouring sentences between which a chunk ends: those least similar to each other. */
const BREAKS = 0.2;

/** Ends a chunk where a sentence is least similar to the one before it, and where the chunk would be too large. */
export const cutSemantic: Cut = async (passage, sizes, embed) => {
  const sentences = (passage.text.match(/[^.!?\n]+[.!?]*\s*/g) ?? [])
    .map((one) => one.trim())
    .filter((one) => one !== "");
  if (sentences.length < 3 || sentences.length > MAX_SENTENCES) return cutDocument(passage, sizes, embed);
  const vectors = await embed(sentences);
  if (vectors[0]?.length === 0)
    throw new ContentFault("SemanticChunker needs an embedder; none is configured.");
  const similarities = vectors.slice(1).map((vector, i) => product(vector, vectors[i] ?? []));
  const threshold = similarities.toSorted((a, b) => a - b)[Math.floor(similarities.length * BREAKS)] ?? -1;
  const groups: string[][] = [[]];
  for (const [i, sentence] of sentences.entries()) {
    const similarity = similarities[i - 1];
    if (similarity !== undefined && similarity < threshold) groups.push([]);
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
