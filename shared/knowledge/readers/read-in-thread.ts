import { Worker } from "node:worker_threads";
import * as v from "valibot";
import { ContentFault } from "../content-fault.ts";
import type { Passage } from "./passage.ts";
import type { ReaderId } from "./readers.ts";
import { READING_LIMITS, type ReadingLimits } from "./reading-limits.ts";

/**
 * Reads a file.
 *
 * @param signal  stops the reading
 * @throws ContentFault naming what is wrong with the file, or the limit that it exceeds
 */
export type ReadPassages = (reader: ReaderId, bytes: Uint8Array, signal?: AbortSignal) => Promise<Passage[]>;

/** How often the bytes outside of the heap are looked at; nothing else limits them. */
const WATCH_MS = 20;
const MB = 1_000_000;

/** What the thread answers. It is our own code, so only the form is checked. */
const Answer = v.union([
  v.object({ passages: v.custom<Passage[]>(Array.isArray) }),
  v.object({ fault: v.string() }),
]);

/**
 * Reads each file in a thread of its own, which ends with it. A file that would take more memory or time than the limits
 * ends its thread, not the process.
 *
 * @param thread  module that calls `answerReading`
 */
export const readInThread =
  (thread: URL, limits: ReadingLimits = READING_LIMITS): ReadPassages =>
  async (reader, bytes, signal) => {
    signal?.throwIfAborted();
    const worker = new Worker(thread, {
      workerData: { reader, bytes },
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMb },
      execArgv: [],
      // Libraries write warnings that quote the file.
      stdout: true,
      stderr: true,
    });
    worker.stdout.resume();
    worker.stderr.resume();
    const ended = new AbortController();
    const result = Promise.withResolvers<Passage[]>();
    const stop = () => result.reject(signal?.reason);
    signal?.addEventListener("abort", stop, { once: true });
    worker.once("message", (message: unknown) => {
      const answer = v.parse(Answer, message);
      if ("fault" in answer) result.reject(new ContentFault(answer.fault));
      else result.resolve(answer.passages);
    });
    worker.once("error", (error) => result.reject(faultOf(error, limits)));
    worker.once("exit", () => result.reject(new Error("the reading thread ended without an answer")));
    const late = setTimeout(() => result.reject(tooSlow(limits)), limits.seconds * 1_000);
    const watching = watchBuffers(worker, limits, ended.signal).catch(result.reject);
    try {
      return await result.promise;
    } finally {
      clearTimeout(late);
      signal?.removeEventListener("abort", stop);
      ended.abort();
      await worker.terminate();
      await watching;
    }
  };

/** @throws ContentFault when the thread holds more bytes outside of its heap than it may */
async function watchBuffers(worker: Worker, limits: ReadingLimits, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    const held = await worker.getHeapStatistics().catch(() => undefined);
    if (!ended.aborted && held && held.external_memory > limits.bufferMb * MB) throw tooMuch(limits.bufferMb);
    await new Promise((resolve) => setTimeout(resolve, WATCH_MS));
  }
}

function faultOf(error: unknown, limits: ReadingLimits): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ERR_WORKER_OUT_OF_MEMORY" ? tooMuch(limits.heapMb) : error;
}

const tooMuch = (mb: number): ContentFault =>
  new ContentFault(`Reading the file takes more than ${mb} MB of memory. Split it, or take its text alone.`);
const tooSlow = ({ seconds }: ReadingLimits): ContentFault =>
  new ContentFault(`Reading the file takes longer than ${seconds} s. Split it, or take its text alone.`);
