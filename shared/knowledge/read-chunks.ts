import type { ReadingOptions } from "../schemas/knowledge/knowledge-content.ts";
import { type ChunkerKey, type ChunkSizes, chunkerKeys } from "./chunkers/chunker.ts";
import { chunkers } from "./chunkers/chunkers.ts";
import { ContentFault } from "./content-fault.ts";
import type { Embedder } from "./embedders/embedder.ts";
import type { Passage } from "./readers/passage.ts";
import { pickReader, readerNamed } from "./readers/pick-reader.ts";
import type { ReadFile } from "./readers/read-in-process.ts";
import type { FileBlocks } from "./readers/read-parts.ts";
import type { Reader, ReadPart } from "./readers/reader.ts";
import { readers } from "./readers/readers.ts";
import { MAX_CHUNKS } from "./readers/reading-limits.ts";
import { HEAD_BYTES } from "./readers/text-encoding.ts";

/** Bytes of a chunk's text: a vector store's limit of metadata, less room for the other metadata. */
const MAX_TEXT_BYTES = 36_000;
/** From this share of a file on, its chunks are estimated well enough to refuse it. */
const ESTIMATED_FROM = 0.02;

export type FileToRead = FileBlocks & {
  readonly filename: string;
  readonly mime_type: string;
  readonly options: ReadingOptions;
};

/** Some chunks of a file. */
export type ChunkBatch = {
  readonly chunks: readonly Passage[];
  /** How much of the file has been read, from 0 to 1. */
  readonly share: number;
  /** With the last one: files inside it that were left out, each with the reason. */
  readonly skipped: readonly string[];
};

type Needs = {
  readonly embedder: Pick<Embedder, "embed">;
  readonly readFile: ReadFile;
};

/**
 * Reads a file into chunks, batch by batch: the same ones, in the same order, every time.
 *
 * @param signal  stops the reading
 * @throws ContentFault naming the reason where there are none
 */
export async function* readChunks(
  file: FileToRead,
  { embedder, readFile }: Needs,
  signal?: AbortSignal,
): AsyncGenerator<ChunkBatch, undefined> {
  const { options } = file;
  if (file.bytes === 0) throw new ContentFault("The file is empty.");
  const { head, blocks } = await begun(file.blocks);
  const id = pickReader({ ...file, reader_id: options.reader_id, head });
  const reader: Reader = readers[id];
  const requested = requestedChunker(options);
  const cut = cutterOf(options, embedder);
  let total = 0;
  let left: readonly string[] = [];
  for await (const { parts, share, skipped } of readFile(id, { bytes: file.bytes, blocks }, signal)) {
    const chunks: Passage[] = [];
    for (const part of parts) {
      // One by one: a part may have more chunks than a call takes arguments.
      for (const chunk of await cut(part, requested ?? part.chunker ?? reader.chunker)) chunks.push(chunk);
    }
    const filled = chunks.filter(({ text }) => text.trim() !== "");
    total += filled.length;
    left = skipped;
    refuseTooMany(total, share);
    if (filled.some(({ text }) => Buffer.byteLength(text) > MAX_TEXT_BYTES))
      throw new ContentFault(`A chunk is larger than ${MAX_TEXT_BYTES} bytes. Ask for a smaller chunk_size.`);
    yield { chunks: filled, share, skipped };
  }
  if (total > 0) return undefined;
  throw new ContentFault(
    left.length === 0
      ? "Nothing could be read: the file has no text."
      : `Nothing could be read: ${shownFiles(left)}.`,
  );
}

/** The first files of a list that may be long, as a sentence's part. */
export const shownFiles = (files: readonly string[]): string =>
  files.length > MOST_SHOWN
    ? `${files.slice(0, MOST_SHOWN).join("; ")} and ${files.length - MOST_SHOWN} more`
    : files.join("; ");
const MOST_SHOWN = 5;

/** Refused as soon as it is known, because each chunk that is embedded costs. */
function refuseTooMany(chunks: number, share: number): void {
  const estimate = share >= ESTIMATED_FROM ? chunks / share / 2 : 0;
  if (chunks > MAX_CHUNKS || estimate > MAX_CHUNKS)
    throw new ContentFault(
      `The file has more than ${MAX_CHUNKS} chunks. Split it, or ask for a chunker and a chunk_size that make fewer.`,
    );
}

type Begun = { readonly head: Uint8Array; readonly blocks: AsyncIterable<Uint8Array> };

/** The first bytes of a file, and all of its blocks. */
async function begun(blocks: AsyncIterable<Uint8Array>): Promise<Begun> {
  const rest = blocks[Symbol.asyncIterator]();
  const first = await rest.next();
  if (first.done) throw new ContentFault("The file is empty.");
  async function* all(): AsyncGenerator<Uint8Array, undefined> {
    try {
      yield first.value;
      for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
    } finally {
      await rest.return?.();
    }
    return undefined;
  }
  return { head: first.value.subarray(0, HEAD_BYTES), blocks: all() };
}

type CutPart = (part: ReadPart, key: ChunkerKey | undefined) => Promise<Passage[]>;

/** Cuts part after part. Rows of a table that comes in several parts are numbered throughout. */
function cutterOf(options: ReadingOptions, { embed }: Pick<Embedder, "embed">): CutPart {
  let rows = 0;
  return async ({ text, about, continues }, key) => {
    if (key === undefined) return [{ text, about }];
    const chunks = await chunkers[key].cut({ text, about }, sizesOf(options, key), embed);
    if (key !== "RowChunker") return chunks;
    const before = continues ? rows : 0;
    rows = before + chunks.length;
    if (before === 0) return chunks;
    return chunks.map((chunk, i) => ({ ...chunk, about: { ...chunk.about, row_number: before + i + 1 } }));
  };
}

/** A requested chunker is used only where its reader is named too. */
function requestedChunker({ reader_id, chunker }: ReadingOptions): ChunkerKey | undefined {
  if (chunker === undefined) return undefined;
  const known = chunkerKeys.find((key) => key === chunker);
  if (!known) throw new ContentFault(`There is no chunker ${chunker}. There are: ${chunkerKeys.join(", ")}.`);
  return reader_id !== undefined && readerNamed(reader_id) ? known : undefined;
}

function sizesOf({ chunk_size, chunk_overlap }: ReadingOptions, key: ChunkerKey): ChunkSizes {
  const size = chunk_size ?? chunkers[key].sizes?.size ?? 1;
  const overlap = chunk_overlap ?? chunkers[key].sizes?.overlap ?? 0;
  if (size < 1) throw new ContentFault("chunk_size must be at least 1.");
  if (overlap < 0 || overlap >= size)
    throw new ContentFault("chunk_overlap must be below chunk_size, and not below 0.");
  return { size, overlap };
}
