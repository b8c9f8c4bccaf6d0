import { ContentFault, LimitExceeded } from "../content-fault.ts";
import { pickReader } from "./pick-reader.ts";
import type { InnerFile, Reader, Reading, ReadPart } from "./reader.ts";
import { type ReaderId, readerIds, readers } from "./readers.ts";
import { MAX_READ_CHARACTERS, MAX_UNPACKED_BYTES } from "./reading-limits.ts";
import { HEAD_BYTES } from "./text-encoding.ts";

/** An archive in a mail in an archive is read; what is deeper was made to be deep. */
const MAX_DEPTH = 3;

export type Begun = {
  /** Reads the bytes of a file that is in memory as a whole. */
  readonly whole: (reader: ReaderId, bytes: Uint8Array) => Promise<ReadPart[]>;
  /** Files inside it that were left out, each with the reason. */
  readonly skipped: readonly string[];
};

/** Begins the reading of one file; all files that are packed in it share one budget. */
export function beginReading(): Begun {
  const budget = { left: MAX_UNPACKED_BYTES };
  const skipped: string[] = [];
  let characters = 0;
  const readAs = async (id: ReaderId, bytes: Uint8Array, depth: number): Promise<ReadPart[]> => {
    const reader: Reader = readers[id];
    const reading: Reading = {
      budget,
      as: (named, same) => readAs(known(named), same, depth),
      inner: (file) => inner(file, depth + 1),
    };
    const parts =
      "read" in reader ? await reader.read(bytes, reading) : await allOf(reader.stream(once(bytes)));
    return parts.map((part) => ({ chunker: reader.chunker, ...part }));
  };
  const inner = async ({ filename, mime_type, bytes }: InnerFile, depth: number): Promise<ReadPart[]> => {
    if (depth > MAX_DEPTH)
      throw new LimitExceeded(`The file has files packed in files more than ${MAX_DEPTH} deep.`);
    if (bytes.length === 0) return [];
    try {
      const id = pickReader({ filename, mime_type, head: bytes.subarray(0, HEAD_BYTES) });
      const parts = await readAs(id, bytes, depth);
      characters += parts.reduce((sum, { text }) => sum + text.length, 0);
      if (characters > MAX_READ_CHARACTERS * (MAX_DEPTH + 1)) throw tooManyCharacters();
      return parts;
    } catch (error) {
      if (!(error instanceof ContentFault) || error instanceof LimitExceeded) throw error;
      skipped.push(`${filename} (${error.message.replace(/\.$/, "")})`);
      return [];
    }
  };
  return { whole: (reader, bytes) => readAs(reader, bytes, 0), skipped };
}

export const tooManyCharacters = (): ContentFault =>
  new LimitExceeded(`The file has more than ${MAX_READ_CHARACTERS / 1e6} million characters.`);

function known(name: string): ReaderId {
  const id = readerIds.find((one) => one === name);
  if (!id) throw new Error(`there is no reader ${name}`);
  return id;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, undefined> {
  yield bytes;
  return undefined;
}

async function allOf(parts: AsyncIterable<ReadPart>): Promise<ReadPart[]> {
  const all: ReadPart[] = [];
  for await (const part of parts) all.push(part);
  return all;
}
