import { type ChildProcess, fork } from "node:child_process";
import * as v from "valibot";
import { ContentFault } from "../content-fault.ts";
import type { FileBlocks, ReadBatch } from "./read-parts.ts";
import type { ReaderId } from "./readers.ts";
import { READING_LIMITS, type ReadingLimits, secondsFor } from "./reading-limits.ts";

/**
 * Reads a file, batch by batch. Whoever stops taking batches ends the reading.
 *
 * @param signal  stops the reading
 * @throws ContentFault naming what is wrong with the file, or the limit that it exceeds
 */
export type ReadFile = (reader: ReaderId, file: FileBlocks, signal?: AbortSignal) => AsyncIterable<ReadBatch>;

/** What the process says. It is our own code, so only the form is checked. */
const Said = v.union([
  v.object({ batch: v.custom<ReadBatch>((value) => typeof value === "object") }),
  v.object({ wants: v.literal("block") }),
  v.object({ fault: v.string() }),
  v.object({ end: v.literal(true) }),
]);
type Said = v.InferOutput<typeof Said>;

/** What Node itself may need of the environment. The process gets no more: what reads foreign files needs no credentials. */
const NODES_OWN = ["LD_LIBRARY_PATH", "TZ"];

/**
 * Reads each file in a process of its own, which ends with it. A file that would take more memory or time than the limits
 * ends that process alone. A thread would not do: V8 aborts its whole process when a thread allocates faster than it can be
 * stopped. Time counts while the process works, not while it waits for its batch to be taken.
 *
 * @param module  calls `answerReading`
 */
export const readInProcess = (module: URL, limits: ReadingLimits = READING_LIMITS): ReadFile =>
  async function* (reader, { bytes, blocks }, signal) {
    signal?.throwIfAborted();
    const child = fork(module, [reader, String(bytes), String(limits.heapMb + limits.bufferMb)], {
      execArgv: [`--max-old-space-size=${limits.heapMb}`],
      env: Object.fromEntries(NODES_OWN.map((name) => [name, process.env[name]])),
      serialization: "advanced",
      // Libraries write warnings that quote the file.
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    const source = blocks[Symbol.asyncIterator]();
    const listening = listenTo(child, { ...limits, seconds: secondsFor(bytes, limits) }, signal);
    try {
      for (;;) {
        const said = await listening.next();
        if ("fault" in said) throw new ContentFault(said.fault);
        if ("end" in said) return undefined;
        if ("batch" in said) {
          yield said.batch;
          listening.answer({});
        } else {
          const { value, done } = await source.next();
          listening.answer(done ? {} : { block: value });
        }
      }
    } finally {
      listening.end();
      child.kill("SIGKILL");
      await source.return?.();
    }
  };

type Listening = {
  /** What the process says next. @throws what ended it, or the limit that it exceeds */
  readonly next: () => Promise<Said>;
  readonly answer: (message: object) => void;
  readonly end: () => void;
};

function listenTo(child: ChildProcess, limits: ReadingLimits, signal: AbortSignal | undefined): Listening {
  let received = Promise.withResolvers<Said>();
  let left = limits.seconds * 1_000;
  // It may fail while no call waits for it; the next call reports it.
  let failure: { readonly reason: unknown } | undefined;
  const fail = (reason: unknown) => {
    failure ??= { reason };
    received.reject(reason);
  };
  const stop = () => fail(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });
  child.on("message", (message: unknown) => received.resolve(v.parse(Said, message)));
  child.on("error", fail);
  child.once("exit", (code, by) => fail(faultOf(code, by, limits)));
  received.promise.catch(() => undefined);
  return {
    next: async () => {
      if (failure) throw failure.reason;
      const from = performance.now();
      const late = setTimeout(() => fail(tooSlow(limits)), Math.max(0, left));
      try {
        return await received.promise;
      } finally {
        clearTimeout(late);
        left -= performance.now() - from;
      }
    },
    answer: (message) => {
      received = Promise.withResolvers<Said>();
      received.promise.catch(() => undefined);
      // Where it has ended, its end is what is reported.
      if (child.connected) child.send(message, () => undefined);
    },
    end: () => signal?.removeEventListener("abort", stop),
  };
}

/** Why a process ended before it had said all: V8 aborts it at the limit of its heap, its own watch kills it at that of its memory. */
function faultOf(code: number | null, by: NodeJS.Signals | null, { heapMb, bufferMb }: ReadingLimits): Error {
  if (by === "SIGABRT" || by === "SIGTRAP" || code === 134) return tooMuch(heapMb);
  if (by === "SIGKILL") return tooMuch(heapMb + bufferMb);
  return new Error(`the reading process ended without an answer: ${by ?? code}`);
}

const tooMuch = (mb: number): ContentFault =>
  new ContentFault(`Reading the file takes more than ${mb} MB of memory. Split it, or take its text alone.`);
const tooSlow = ({ seconds }: ReadingLimits): ContentFault =>
  new ContentFault(`Reading the file takes longer than ${seconds} s. Split it, or take its text alone.`);
