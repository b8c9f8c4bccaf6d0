import { parentPort, workerData } from "node:worker_threads";
import * as v from "valibot";
import { ContentFault } from "../content-fault.ts";
import type { Passage } from "./passage.ts";
import { readerIds, readers } from "./readers.ts";
import { MAX_CHUNKS, MAX_READ_CHARACTERS } from "./reading-limits.ts";

const Order = v.object({ reader: v.picklist(readerIds), bytes: v.instance(Uint8Array) });

/** The reading thread: reads the file that it was started with and answers with its passages, or what is wrong with it. */
export async function answerReading(): Promise<void> {
  const { reader, bytes } = v.parse(Order, workerData);
  try {
    const passages = await readers[reader].read(bytes);
    refuseTooMany(passages);
    parentPort?.postMessage({ passages });
  } catch (error) {
    parentPort?.postMessage({ fault: textOf(error, readers[reader].name) });
  }
}

function refuseTooMany(passages: readonly Passage[]): void {
  if (passages.length > MAX_CHUNKS) throw new ContentFault(`The file has more than ${MAX_CHUNKS} parts.`);
  const characters = passages.reduce((sum, { text }) => sum + text.length, 0);
  if (characters > MAX_READ_CHARACTERS)
    throw new ContentFault(`The file has more than ${MAX_READ_CHARACTERS / 1e6} million characters.`);
}

/** Readers are deterministic: what one could not cope with once it cannot cope with the next time either. */
const textOf = (error: unknown, reader: string): string =>
  error instanceof ContentFault ? error.message : `${reader} cannot read the file: it is malformed.`;
