import { ContentFault } from "../content-fault.ts";
import { beginReading, tooManyCharacters } from "./begin-reading.ts";
import type { Reader, ReadPart } from "./reader.ts";
import { type ReaderId, readers } from "./readers.ts";
import { MAX_CHUNKS, MAX_READ_CHARACTERS, MAX_WHOLE_BYTES } from "./reading-limits.ts";

/** A file whose bytes come in blocks of one size, the last of which may be shorter. */
export type FileBlocks = { readonly bytes: number; readonly blocks: AsyncIterable<Uint8Array> };

/** Some of what was read of a file. */
export type ReadBatch = {
  readonly parts: readonly ReadPart[];
  /** How much of the file is read with this, from 0 to 1. */
  readonly share: number;
  /** With the last one: files inside it that were left out, each with the reason. */
  readonly skipped: readonly string[];
};

/** Characters and parts of a batch, at which it is handed on. */
const BATCH_CHARS = 1_000_000;
const BATCH_PARTS = 5_000;

/**
 * Reads a file, batch by batch; the same ones for the same bytes.
 *
 * @throws ContentFault naming what is wrong with the file, or the limit that it exceeds
 */
export async function* readParts(id: ReaderId, file: FileBlocks): AsyncGenerator<ReadBatch, undefined> {
  const reader: Reader = readers[id];
  if ("stream" in reader) {
    yield* streamed(reader.stream, file);
    return undefined;
  }
  if (file.bytes > MAX_WHOLE_BYTES) throw tooLarge(reader.name);
  const begun = beginReading();
  const parts = await begun.whole(id, await joined(file));
  refuseTooMany(parts);
  let batch: ReadPart[] = [];
  let chars = 0;
  for (const [i, part] of parts.entries()) {
    batch.push(part);
    chars += part.text.length;
    if (chars < BATCH_CHARS && batch.length < BATCH_PARTS) continue;
    yield { parts: batch, share: (i + 1) / parts.length, skipped: [] };
    [batch, chars] = [[], 0];
  }
  yield { parts: batch, share: 1, skipped: begun.skipped };
  return undefined;
}

/** @source the limit that a file of a kind that is read as a whole may have */
export const tooLarge = (reader: string): ContentFault =>
  new ContentFault(
    `The file holds more than ${MAX_WHOLE_BYTES / 1e6} MB, which ${reader} cannot read. Split it, or take its text alone.`,
  );

async function* streamed(
  stream: (blocks: AsyncIterable<Uint8Array>) => AsyncIterable<ReadPart>,
  { bytes, blocks }: FileBlocks,
): AsyncGenerator<ReadBatch, undefined> {
  let taken = 0;
  async function* counted(): AsyncGenerator<Uint8Array, undefined> {
    for await (const block of blocks) {
      taken += block.length;
      yield block;
    }
    return undefined;
  }
  let batch: ReadPart[] = [];
  let chars = 0;
  for await (const part of stream(counted())) {
    batch.push(part);
    chars += part.text.length;
    if (chars < BATCH_CHARS && batch.length < BATCH_PARTS) continue;
    yield { parts: batch, share: Math.min(1, taken / Math.max(1, bytes)), skipped: [] };
    [batch, chars] = [[], 0];
  }
  yield { parts: batch, share: 1, skipped: [] };
  return undefined;
}

async function joined({ bytes, blocks }: FileBlocks): Promise<Uint8Array> {
  const all = new Uint8Array(bytes);
  let at = 0;
  for await (const block of blocks) {
    all.set(block, at);
    at += block.length;
  }
  return all;
}

function refuseTooMany(parts: readonly ReadPart[]): void {
  if (parts.length > MAX_CHUNKS) throw new ContentFault(`The file has more than ${MAX_CHUNKS} parts.`);
  if (parts.reduce((sum, { text }) => sum + text.length, 0) > MAX_READ_CHARACTERS) throw tooManyCharacters();
}
