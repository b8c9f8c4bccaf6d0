import type { Generation, StoredContent } from "../../schemas/knowledge/knowledge-content.ts";
import type { WordIndex } from "../lexical/word-index.ts";
import type { Passage } from "../readers/passage.ts";

/** Writes the words of some of a generation's chunks. @param from how many chunks come before these */
export const putWords = (
  words: WordIndex,
  { id, knowledge_id, owner }: Pick<StoredContent, "id" | "knowledge_id" | "owner">,
  { hash }: Pick<Generation, "hash">,
  from: number,
  batch: readonly Passage[],
): Promise<void> =>
  words.add(knowledge_id, {
    id,
    hash,
    owner,
    chunks: batch.map(({ text, about: { heading } }, i) => ({
      position: from + i + 1,
      text,
      heading: typeof heading === "string" ? heading : undefined,
    })),
  });
