import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** What became of one call. */
export type Outcome = { readonly result: unknown } | { readonly error: string };

/** What a thread is given. */
export type Order = {
  /** Address of the module that exports the function. */
  readonly module: string;
  readonly name: string;
  readonly threads: number;
  /** The arguments of each round's call. */
  readonly rounds: readonly (readonly unknown[])[];
  /** Counts the threads that have come to a round, over all rounds. */
  readonly arrived: Int32Array;
};

/**
 * Calls exported functions of a module at the same moment, each in a thread of its own, round after round.
 *
 * @param names   one thread for each
 * @param rounds  the arguments of each round; every thread gets the same
 * @returns the outcomes of each round, in the order of the names
 */
export async function callAtOnce(
  module: URL,
  names: readonly string[],
  rounds: readonly (readonly unknown[])[],
): Promise<Outcome[][]> {
  const arrived = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workers = names.map((name) => {
    const order: Order = { module: module.href, name, threads: names.length, rounds, arrived };
    return new Worker(new URL("./at-once-thread.ts", import.meta.url), { workerData: order });
  });
  try {
    const ofThreads = await Promise.all(workers.map(outcomesOf));
    return rounds.map((_, round) => ofThreads.flatMap((outcomes) => outcomes[round] ?? []));
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

async function outcomesOf(worker: Worker): Promise<Outcome[]> {
  const [outcomes] = await once(worker, "message");
  return outcomes;
}
