import { parentPort, workerData } from "node:worker_threads";
import type { Order, Outcome } from "./at-once.ts";

/** One thread of `callAtOnce`. */
const { module, name, threads, rounds, arrived }: Order = workerData;
const call: (...args: readonly unknown[]) => unknown = (await import(module))[name];

function untilAllHaveArrived(round: number): void {
  const all = (round + 1) * threads;
  Atomics.add(arrived, 0, 1);
  Atomics.notify(arrived, 0);
  for (let now = Atomics.load(arrived, 0); now < all; now = Atomics.load(arrived, 0)) {
    Atomics.wait(arrived, 0, now);
  }
}

const outcomes: Outcome[] = [];
for (const [round, args] of rounds.entries()) {
  untilAllHaveArrived(round);
  try {
    outcomes.push({ result: await call(...args) });
  } catch (error) {
    outcomes.push({ error: String(error) });
  }
}
parentPort?.postMessage(outcomes);
