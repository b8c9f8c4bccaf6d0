import type { Embedder } from "../../shared/knowledge/embedders/embedder.ts";
import { type FileToRead, readChunks } from "../../shared/knowledge/read-chunks.ts";
import type { Passage } from "../../shared/knowledge/readers/passage.ts";
import type { ReadFile } from "../../shared/knowledge/readers/read-in-process.ts";
import { readParts } from "../../shared/knowledge/readers/read-parts.ts";

/** Reads without a thread, where a test is about something else. */
export const readHere: ReadFile = (reader, file) => readParts(reader, file);

/** All chunks of a file, read without a thread. */
export async function chunksOf(file: FileToRead, embedder: Pick<Embedder, "embed">): Promise<Passage[]> {
  const all: Passage[] = [];
  for await (const { chunks } of readChunks(file, { embedder, readFile: readHere })) all.push(...chunks);
  return all;
}

/** Bytes as a file in blocks. @param size of a block; small ones show what the borders of blocks do */
export const inBlocks = (bytes: Uint8Array, size = 4_000_000) => ({
  bytes: bytes.length,
  blocks: blocksOf(bytes, size),
});

async function* blocksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array, undefined> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
  return undefined;
}
