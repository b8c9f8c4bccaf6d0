import { chunkers } from "../../shared/knowledge/chunkers/chunkers.ts";
import type { Embedder } from "../../shared/knowledge/embedders/embedder.ts";

/**
 * The share of questions whose passage is among the first `k` that are found.
 *
 * @param passages   texts by name
 * @param questions  each with the name of the passage that answers it
 */
export async function recallAt(
  k: number,
  { embed }: Pick<Embedder, "embed">,
  passages: Readonly<Record<string, string>>,
  questions: readonly (readonly [question: string, passage: string])[],
): Promise<{ recall: number; missed: string[] }> {
  const chunks: { name: string; text: string }[] = [];
  for (const [name, text] of Object.entries(passages)) {
    const cut = await chunkers.FixedSizeChunker.cut({ text, about: {} }, { size: 5000, overlap: 0 }, embed);
    chunks.push(...cut.map((chunk) => ({ name, text: chunk.text })));
  }
  const vectors = await embed(chunks.map(({ text }) => text));
  const missed: string[] = [];
  for (const [question, passage] of questions) {
    const [asked = []] = await embed([question]);
    const near = chunks
      .map(({ name }, i) => ({ name, score: product(asked, vectors[i] ?? []) }))
      .sort((a, b) => b.score - a.score);
    if (!near.slice(0, k).some(({ name }) => name === passage)) missed.push(question);
  }
  return { recall: 1 - missed.length / questions.length, missed };
}

const product = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);
