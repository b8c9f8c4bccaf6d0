import { type BatchDeps, executeBatch } from "../../functions/worker/execute-batch.ts";
import { prices } from "../cost/prices.ts";
import type { Row } from "../figures.ts";
import { runTimes } from "./run-times.ts";
import { virtualClock } from "./virtual-clock.ts";

const WORKERS = 32;
const SLOTS = 10;
const FUNCTION_LIFE_MS = 900_000;
/** Of a worker function. */
const GIGABYTES = 1;
const HOUR_MS = 3_600_000;

/** Of run times, in seconds; one of a hundred runs takes 120 s. */
const MEDIAN_SECONDS = 4;

/** How a worker function executes a batch. */
export type Policy = (deps: BatchDeps, batch: readonly string[]) => Promise<unknown>;

/** As before: the function ends with the slowest run of its batch, and nothing takes the place of the others. */
export const withoutRefill: Policy = ({ execute }, batch) => Promise.all(batch.map(execute));

/**
 * Simulates an hour of a queue that is never empty: how much of the workers' time is used by runs, how many runs a second
 * that makes, and what the functions' time costs. The policy is the worker's own code; the times of runs are drawn.
 */
export async function measureSlots(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, policy] of [
    ["without refill", withoutRefill],
    ["with refill", executeBatch],
  ] as const) {
    const { used, perSecond, dollarsPerThousand } = await simulateHour(policy, MEDIAN_SECONDS);
    rows.push(
      {
        what: `slots in use, ${name}`,
        figure: `${(used * 100).toFixed(0)} %`,
        ...(policy === executeBatch && { goal: "≥ 85 %" }),
      },
      { what: `runs a second of ${WORKERS} workers, ${name}`, figure: perSecond.toFixed(1) },
      { what: `functions and messages of 1,000 runs, ${name}`, figure: `$${dollarsPerThousand.toFixed(3)}` },
    );
  }
  return rows;
}

/** An hour of a queue that is never empty. @param medianSeconds  of the run times */
export async function simulateHour(policy: Policy, medianSeconds: number) {
  const { clock, runUntil } = virtualClock();
  const nextTime = runTimes(medianSeconds);
  const sum = { runs: 0, runMs: 0, requests: 0 };
  let messages = 0;
  const invoke = async (): Promise<void> => {
    for (;;) {
      const startedAt = clock.now();
      const batch = Array.from({ length: SLOTS }, () => `${messages++}`);
      // A batch is received and deleted by the event source.
      sum.requests += 2;
      await policy(depsOf(startedAt), batch);
    }
  };
  const depsOf = (startedAt: number): BatchDeps => ({
    clock,
    slots: SLOTS,
    remainingMs: () => startedAt + FUNCTION_LIFE_MS - clock.now(),
    log: { warn: () => {}, error: () => {} },
    execute: async () => {
      const ms = nextTime();
      const leftMs = startedAt + FUNCTION_LIFE_MS - clock.now();
      // A longer run is handed off; its rest is another run's time here.
      const spent = Math.min(ms, leftMs - 60_000);
      await clock.sleep(spent);
      sum.runs += spent / ms;
      sum.runMs += spent;
    },
    messages: {
      receive: async (atMost) => {
        sum.requests += 1;
        return Array.from({ length: Math.min(atMost, 10) }, () => ({ body: `${messages++}`, receipt: "" }));
      },
      remove: async () => {
        sum.requests += 1;
      },
    },
  });
  for (let worker = 0; worker < WORKERS; worker += 1) void invoke();
  await runUntil(HOUR_MS);
  // The workers are never idle: each function is followed by the next.
  const functionMs = WORKERS * HOUR_MS;
  const gigabyteSeconds = (functionMs / 1000) * GIGABYTES;
  const dollars = gigabyteSeconds * prices.gigabyteSecond + sum.requests * prices.sqsRequest;
  return {
    used: sum.runMs / (functionMs * SLOTS),
    perSecond: sum.runs / (HOUR_MS / 1000),
    dollarsPerThousand: (dollars / sum.runs) * 1000,
  };
}
