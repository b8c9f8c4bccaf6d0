import * as v from "valibot";
import { ContentFault } from "../content-fault.ts";
import { readParts } from "./read-parts.ts";
import { readerIds, readers } from "./readers.ts";
import { watchMemory } from "./watch-memory.ts";

const Order = v.tuple([
  v.picklist(readerIds),
  v.pipe(v.string(), v.transform(Number)),
  v.pipe(v.string(), v.transform(Number)),
]);
/** What it is given when it asks: the next block, or nothing where there is none; `{}` to go on. */
const Given = v.object({ block: v.optional(v.instance(Uint8Array)) });

/** Node and the readers themselves, before they have read anything. */
const OWN_MB = 150;

/**
 * The reading process; its arguments are the reader, the length of the file and the memory that it may use, in megabytes. It asks
 * for block after block, and hands on batch after batch once the one before was taken, so that neither side holds more than a
 * part of a large file:
 *
 *   process  ── wants ─▶            ── batch ─▶            ── fault, or end ─▶
 *   worker             ◀── block ──             ◀── {} ──
 */
export async function answerReading(): Promise<void> {
  const [reader, bytes, megabytes] = v.parse(Order, process.argv.slice(2));
  watchMemory(megabytes + OWN_MB);
  try {
    for await (const batch of readParts(reader, { bytes, blocks: blocksFrom() })) await asked({ batch });
    await say({ end: true });
  } catch (error) {
    await say({ fault: textOf(error, readers[reader].name) });
  }
  process.disconnect();
}

async function* blocksFrom(): AsyncGenerator<Uint8Array, undefined> {
  for (;;) {
    const { block } = await asked({ wants: "block" });
    if (!block) return undefined;
    yield block;
  }
}

async function asked(message: object): Promise<v.InferOutput<typeof Given>> {
  const answer = new Promise<unknown>((resolve) => process.once("message", resolve));
  await say(message);
  return v.parse(Given, await answer);
}

function say(message: object): Promise<void> {
  const { send } = process;
  if (!send) throw new Error("this module is started by another process");
  return new Promise((resolve, reject) =>
    send.call(process, message, (error: Error | null) => (error ? reject(error) : resolve())),
  );
}

/** Readers are deterministic: what one could not cope with once it cannot cope with the next time either. */
const textOf = (error: unknown, reader: string): string =>
  error instanceof ContentFault ? error.message : `${reader} cannot read the file: it is malformed.`;
