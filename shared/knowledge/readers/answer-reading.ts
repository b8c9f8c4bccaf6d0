import { Worker } from "node:worker_threads";
import * as v from "valibot";
import { ContentFault } from "../content-fault.ts";
import { readParts } from "./read-parts.ts";
import { readerIds, readers } from "./readers.ts";

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

/** How often the memory of the process is looked at. What it can allocate meanwhile has room in the function. */
const WATCH_MS = 20;

/**
 * Kills this process when it holds more memory than it may, or has lost the process that started it. A thread looks, because
 * whatever reads a file may compute for minutes without a break.
 *
 * @param megabytes  of everything: heap, bytes outside of it, and Node itself
 */
function watchMemory(megabytes: number): void {
  const watch = new Worker(
    `const parent = process.ppid;
    setInterval(() => {
      if (process.memoryUsage.rss() > ${megabytes * 1_000_000} || process.ppid !== parent) process.kill(process.pid, "SIGKILL");
    }, ${WATCH_MS});`,
    { eval: true, execArgv: [] },
  );
  watch.unref();
}
