/**
 * A day of 20,000, 200,000 and 2 million sessions, counted in slices by the refresher's own code in a heap of 64 MB, over a store that
 * makes up sessions and runs as they are read: the processor's time and the heap of a slice, whether the size of the day changes them,
 * and whether the sums are exact although the count is interrupted and resumed. `node bench/metrics/slices.ts [sessions …]`.
 */

import { getHeapStatistics } from "node:v8";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { table } from "../../build/table.ts";
import { countDay } from "../../functions/housekeeper/figures/count-day.ts";
import { SLICE_SIZE } from "../../functions/housekeeper/figures/refresher-deps.ts";
import { startOfDay } from "../../shared/domain/utc-day.ts";
import { openSlices } from "../../shared/stores/metrics/index.ts";
import { RUNS, storeOfSessions, TOKENS } from "./made-up-store.ts";

const SIZES = [20_000, 200_000, 2_000_000];
const HEAP_MB = 64;
const DAY = "2024-03-01";
/** Slices after which the count is broken off, as when a function's time is up. */
const SLICES_OF_AN_INVOCATION = 30;
const EVERYBODY = { user_id: undefined };

type Counted = {
  readonly slices: number;
  readonly invocations: number;
  readonly sliceSeconds: readonly number[];
  readonly lastSeconds: number;
  readonly heapMb: number;
  readonly isExact: boolean;
};

if (isMainThread) {
  const sizes = process.argv.slice(2).map(Number);
  const rows: string[][] = [];
  for (const sessions of sizes.length > 0 ? sizes : SIZES) {
    const { slices, invocations, sliceSeconds, lastSeconds, heapMb, isExact } = await inThread(sessions);
    if (!isExact) throw new Error(`the sums of ${sessions} sessions are not exact`);
    const sorted = sliceSeconds.toSorted((a, b) => a - b);
    const [median = 0, most = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
    rows.push([
      sessions.toLocaleString("en"),
      String(slices),
      String(invocations),
      median.toFixed(2),
      most.toFixed(2),
      lastSeconds.toFixed(1),
      heapMb.toFixed(0),
    ]);
  }
  console.log(
    table(
      [
        "sessions",
        "slices",
        "invocations",
        "s of a slice, median",
        "most",
        "s to put it together",
        "MB of heap",
      ],
      rows,
    ),
  );
  console.log(
    `slices of ${SLICE_SIZE.toLocaleString("en")} sessions, in a heap of ${HEAP_MB} MB; all sums are exact`,
  );
} else {
  parentPort?.postMessage(await count(workerData));
}

async function count(sessions: number): Promise<Counted> {
  const store = storeOfSessions(sessions, startOfDay(DAY));
  const sliceSeconds: number[] = [];
  let heap = 0;
  for (let invocations = 1; ; invocations += 1) {
    // Read from the store, as a process that has just begun does.
    const from = await openSlices(store.db, EVERYBODY, DAY, startOfDay(DAY));
    let left = SLICES_OF_AN_INVOCATION;
    let since = seconds();
    const goesOn = async (): Promise<boolean> => {
      sliceSeconds.push(seconds() - since);
      since = seconds();
      heap = Math.max(heap, getHeapStatistics().used_heap_size);
      left -= 1;
      return left > 0;
    };
    const { progress, figures } = await countDay(store.db, EVERYBODY, DAY, from, {
      size: SLICE_SIZE,
      goesOn,
    });
    if (figures === undefined) continue;
    const runs = figures.agent_runs_count + figures.team_runs_count + figures.workflow_runs_count;
    const shown = (figures.user_metrics ?? []).reduce((sum, { total_tokens }) => sum + total_tokens, 0);
    const isExact =
      figures.agent_sessions_count === sessions &&
      runs === sessions * RUNS &&
      figures.users_count === store.users &&
      figures.model_metrics.reduce((sum, { total_tokens }) => sum + total_tokens, 0) ===
        sessions * RUNS * TOKENS &&
      shown === sessions * RUNS * TOKENS;
    return {
      slices: progress.slices,
      invocations,
      sliceSeconds,
      lastSeconds: seconds() - since,
      heapMb: Math.max(heap, getHeapStatistics().used_heap_size) / 1e6,
      isExact,
    };
  }
}

/** Processor time of this process, in seconds: the machine may do much else. */
function seconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function inThread(sessions: number): Promise<Counted> {
  const thread = new Worker(new URL(import.meta.url), {
    workerData: sessions,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  return new Promise((resolve, reject) => {
    thread.once("message", resolve);
    thread.once("error", reject);
  });
}
