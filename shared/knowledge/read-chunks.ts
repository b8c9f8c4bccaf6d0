import type { ReadingOptions } from "../schemas/knowledge/knowledge-content.ts";
import { type ChunkerKey, type ChunkSizes, chunkerKeys } from "./chunkers/chunker.ts";
import { chunkers } from "./chunkers/chunkers.ts";
import { ContentFault } from "./content-fault.ts";
import type { Embedder } from "./embedders/embedder.ts";
import type { Passage } from "./readers/passage.ts";
import { pickReader, readerNamed } from "./readers/pick-reader.ts";
import type { ReadPassages } from "./readers/read-in-thread.ts";
import type { Reader } from "./readers/reader.ts";
import { readers } from "./readers/readers.ts";
import { MAX_CHUNKS } from "./readers/reading-limits.ts";

/** Bytes of a chunk's text: a vector store's limit of metadata, less room for the other metadata. */
const MAX_TEXT_BYTES = 36_000;

export type FileToRead = {
  readonly bytes: Uint8Array;
  readonly filename: string;
  readonly mime_type: string;
  readonly options: ReadingOptions;
};

type Needs = {
  readonly embedder: Pick<Embedder, "embed">;
  readonly readPassages: ReadPassages;
};

/**
 * Reads a file into chunks: the same ones, in the same order, every time.
 *
 * @param signal  stops the reading
 * @throws ContentFault naming the reason where there are none
 * @source contract, knowledge 4.2 steps 3 to 5
 */
export async function readChunks(
  file: FileToRead,
  { embedder, readPassages }: Needs,
  signal?: AbortSignal,
): Promise<Passage[]> {
  const { bytes, options } = file;
  if (bytes.length === 0) throw new ContentFault("The file is empty.");
  const id = pickReader({ ...file, reader_id: options.reader_id });
  const reader: Reader = readers[id];
  const key = chunkerOf(options, reader);
  const passages = await readPassages(id, bytes, signal);
  const chunks = key === undefined ? passages : await cutAll(passages, key, sizesOf(options, key), embedder);
  const filled = chunks.filter(({ text }) => text.trim() !== "");
  if (filled.length === 0) throw new ContentFault("Nothing could be read: the file has no text.");
  if (filled.length > MAX_CHUNKS) throw new ContentFault(`The file has more than ${MAX_CHUNKS} chunks.`);
  const large = filled.some(({ text }) => Buffer.byteLength(text) > MAX_TEXT_BYTES);
  if (large)
    throw new ContentFault(`A chunk is larger than ${MAX_TEXT_BYTES} bytes. Ask for a smaller chunk_size.`);
  return filled;
}

async function cutAll(
  passages: readonly Passage[],
  key: ChunkerKey,
  sizes: ChunkSizes,
  { embed }: Pick<Embedder, "embed">,
): Promise<Passage[]> {
  const chunks: Passage[] = [];
  for (const passage of passages) chunks.push(...(await chunkers[key].cut(passage, sizes, embed)));
  return chunks;
}

/** A requested chunker is used only where its reader is named too. @source contract, knowledge 4.1 */
function chunkerOf({ reader_id, chunker }: ReadingOptions, reader: Reader): ChunkerKey | undefined {
  if (chunker === undefined) return reader.chunker;
  const known = chunkerKeys.find((key) => key === chunker);
  if (!known) throw new ContentFault(`There is no chunker ${chunker}. There are: ${chunkerKeys.join(", ")}.`);
  return reader_id !== undefined && readerNamed(reader_id) ? known : reader.chunker;
}

function sizesOf({ chunk_size, chunk_overlap }: ReadingOptions, key: ChunkerKey): ChunkSizes {
  const size = chunk_size ?? chunkers[key].sizes?.size ?? 1;
  const overlap = chunk_overlap ?? chunkers[key].sizes?.overlap ?? 0;
  if (size < 1) throw new ContentFault("chunk_size must be at least 1.");
  if (overlap < 0 || overlap >= size)
    throw new ContentFault("chunk_overlap must be below chunk_size, and not below 0.");
  return { size, overlap };
}
