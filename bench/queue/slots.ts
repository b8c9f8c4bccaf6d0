import { type BatchDeps, executeBatch } from "../../functions/worker/execute-batch.ts";
import { prices } from "../cost/prices.ts";
import type { Row } from "../figures.ts";
import { virtualClock } from "./virtual-clock.ts";

const WORKERS = 32;
const SLOTS = 10;
const FUNCTION_LIFE_MS = 900_000;
/** Of a worker function. */
const GIGABYTES = 1;
const HOUR_MS = 3_600_000;

/** Run times are log-normal: half of them below the median, one of a hundred above the 99th percentile. */
const MEDIAN_SECONDS = 4;
const P99_SECONDS = 120;
const SPREAD = Math.log(P99_SECONDS / MEDIAN_SECONDS) / 2.326;

/** How a worker function executes a batch. */
type Policy = (deps: BatchDeps, batch: readonly string[]) => Promise<unknown>;

/** As before: the function ends with the slowest run of its batch, and nothing takes the place of the others. */
const withoutRefill: Policy = ({ execute }, batch) => Promise.all(batch.map(execute));

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
    const { used, perSecond, dollarsPerThousand } = await simulate(policy);
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

async function simulate(policy: Policy) {
  const { clock, runUntil } = virtualClock();
  const random = seededRandom(1);
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
      const ms = 1000 * MEDIAN_SECONDS * Math.exp(SPREAD * normal(random));
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

/** In [0, 1), always the same sequence (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A draw from the standard normal distribution (Box-Muller). */
const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
