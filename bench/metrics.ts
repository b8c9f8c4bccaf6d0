/**
 * Measures a refresh of metrics, directly against the stores: a day of 1,000, 10,000 and 100,000 runs, computed by a
 * thread with 64 MB of heap, and compared with a slow count of the same day. `node bench/metrics.ts`.
 */

import { isDeepStrictEqual } from "node:util";
import { Worker } from "node:worker_threads";
import { table } from "../build/table.ts";
import { startOfDay, utcDay } from "../shared/domain/utc-day.ts";
import {
  aConversation,
  type Conversation,
  everybody,
  keep,
  metricsWorld,
} from "../test/metrics/metrics-world.ts";
import { slowFigures } from "../test/metrics/slow-oracle.ts";
import { startStores } from "../test/support/stores.ts";

const SIZES = [1_000, 10_000, 100_000];
/** Small sessions are the usual ones, and the most expensive: each needs a query of its own. */
const RUNS_PER_SESSION = 5;
const SESSIONS_AT_A_TIME = 500;
const HEAP_MB = 64;
const DAY_SECONDS = 86_400;
const FIRST_DAY = startOfDay("2024-03-01");

export type Refreshed = { readonly seconds: number; readonly requests: number; readonly items: number };

const { db, endpoint, stop } = await startStores();
const rows: string[][] = [];
try {
  for (const [n, runs] of SIZES.entries()) {
    const midnight = FIRST_DAY + n * DAY_SECONDS;
    const sessions = runs / RUNS_PER_SESSION;
    const make = (i: number) => conversation(i, midnight, sessions);
    for (let from = 0; from < sessions; from += SESSIONS_AT_A_TIME) {
      await keep(
        db,
        Array.from({ length: SESSIONS_AT_A_TIME }, (_, i) => make(from + i)).slice(0, sessions - from),
      );
    }
    const world = metricsWorld(db, midnight + DAY_SECONDS - 1);
    await world.ask();
    console.error(`${runs.toLocaleString("en")} runs are stored`);
    const { seconds, requests, items } = await inThread({ call: world.calls[0], now: world.now() });
    const stored = (await world.days()).at(-1);
    const expected = slowFigures(
      Array.from({ length: sessions }, (_, i) => make(i)),
      utcDay(midnight),
    );
    for (const [name, figure] of Object.entries(expected ?? {})) {
      const found = stored?.[name as keyof typeof expected];
      if (!isDeepStrictEqual(found, figure)) throw new Error(`${name} is ${found}, and should be ${figure}`);
    }
    rows.push([runs, sessions, seconds.toFixed(1), requests, items].map((cell) => cell.toLocaleString("en")));
    if ((await world.state(everybody))?.status !== "completed")
      throw new Error("the refresh did not complete");
  }
} finally {
  await stop();
}
console.log(table(["runs", "sessions", "seconds", "requests", "items read"], rows));
console.log(`each in a heap of ${HEAP_MB} MB, and equal to the slow count`);

function conversation(i: number, midnight: number, sessions: number): Conversation {
  const made = Array.from({ length: RUNS_PER_SESSION }, (_, run) => ({
    model: `model-${(i + run) % 7}`,
    tokens: (i * 31 + run) % 900,
    cost: ((i + run) % 100) / 10_000,
  }));
  return aConversation(
    {
      session_id: `session-${midnight}-${i}`,
      session_type: i % 9 === 0 ? "team" : "agent",
      user_id: `user-${i % (sessions / 4)}`,
      created_at: midnight + Math.floor((i / sessions) * DAY_SECONDS),
      input_tokens: i % 1_000,
      output_tokens: i % 300,
      total_tokens: (i % 1_000) + (i % 300),
    },
    made,
  );
}

function inThread(data: object): Promise<Refreshed> {
  const thread = new Worker(new URL("./metrics/thread.ts", import.meta.url), {
    workerData: { endpoint, tables: db.tables, ...data },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  return new Promise((resolve, reject) => {
    thread.once("message", resolve);
    thread.once("error", reject);
  });
}
