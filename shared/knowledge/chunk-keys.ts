import { createHash } from "node:crypto";
import type { Generation, ReadingOptions } from "../schemas/knowledge/knowledge-content.ts";
import { WITHOUT_VECTORS } from "../stores/knowledge/connect-vectors.ts";
import { NO_EMBEDDER } from "./embedders/embedder.ts";

/** The key of a chunk; the content and its generation determine all keys. @param position from 1 */
export const chunkKey = (contentId: string, hash: string, position: number): string =>
  `${contentId}_${hash}_${position}`;

/** The keys of some of a generation's chunks, by their positions. */
export function chunkKeys(contentId: string, { hash, chunks }: Generation, from = 1, to = chunks): string[] {
  const count = Math.max(0, to - from + 1);
  return Array.from({ length: count }, (_, i) => chunkKey(contentId, hash, from + i));
}

/** The content and the generation that a key belongs to. */
export function placeOfKey(key: string): { contentId: string; hash: string } {
  const [contentId = "", hash = ""] = key.split("_");
  return { contentId, hash };
}

/** Raise it when the same bytes are read or cut in another way: existing chunks are then replaced. */
const READING_VERSION = 2;

/** Hash of everything that determines the chunks: the bytes, how they are read, and the index they go to. */
export function generationHash(
  sha256: string,
  filename: string,
  options: ReadingOptions,
  index: string,
): string {
  const parts = JSON.stringify([READING_VERSION, sha256, filename, options, index]);
  return createHash("sha256").update(parts).digest("hex").slice(0, 16);
}

/**
 * One index for each base and embedder: vectors of different models cannot be compared.
 *
 * @param embedderId  `NO_EMBEDDER` for chunks without vectors
 */
export function indexName(knowledgeId: string, embedderId: string): string {
  if (embedderId === NO_EMBEDDER) return `kb-${knowledgeId}${WITHOUT_VECTORS}`;
  const embedder = createHash("sha256").update(embedderId).digest("hex").slice(0, 8);
  return `kb-${knowledgeId}-${embedder}`;
}
