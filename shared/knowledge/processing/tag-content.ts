import type { StoredContent } from "../../schemas/knowledge/knowledge-content.ts";
import { chunkKey } from "../chunk-keys.ts";
import { WORDS_VERSION } from "../lexical/words-of.ts";
import { tagsOf } from "../tags.ts";
import { type LeasedDeps, writeLeased } from "./content-lease.ts";
import { putWords } from "./put-words.ts";
import { duringStep } from "./step-failed.ts";

const BATCH_CHUNKS = 100;

/**
 * Writes a content's current metadata to all of its chunks: they are read and written again. Chunks from before there was
 * an index of words get into it on this occasion.
 */
export async function tagContent(deps: LeasedDeps, content: StoredContent): Promise<StoredContent> {
  const { live, metadata_version } = content;
  if (!live) return content;
  const tags = tagsOf(content);
  const lacksWords = live.words !== WORDS_VERSION;
  for (let from = 0; from < live.chunks; from += BATCH_CHUNKS) {
    const count = Math.min(BATCH_CHUNKS, live.chunks - from);
    const keys = Array.from({ length: count }, (_, i) => chunkKey(content.id, live.hash, from + i + 1));
    const passages = await duringStep("changing its metadata", async () => {
      const chunks = await deps.vectors.get(live.index, keys);
      await deps.vectors.put(
        live.index,
        chunks.map((chunk) => ({ ...chunk, tags })),
      );
      return new Map(chunks.map(({ key, text, about }) => [key, { text, about }] as const));
    });
    if (lacksWords) {
      const batch = keys.map((key) => passages.get(key) ?? { text: "", about: {} });
      await duringStep("writing its words", () => putWords(deps.words, content, live, from, batch));
    }
    deps.lease.signal.throwIfAborted();
  }
  return writeLeased(deps, content, (seen) => ({
    ...seen,
    tagged_version: metadata_version,
    ...(seen.live?.hash === live.hash && { live: { ...seen.live, words: WORDS_VERSION } }),
  }));
}
