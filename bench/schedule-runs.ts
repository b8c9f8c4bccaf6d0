/**
 * Measures a thousand schedules with a slot in the same minute, from the scheduler's queue until every run has ended and
 * every attempt is recorded. `npm run bench:schedule-runs`; SLOTS for another number.
 */
import { setTimeout as pause } from "node:timers/promises";
import { clientOf } from "../test/support/client.ts";
import { startPlatform } from "../test/support/platform.ts";
import { deliverSlot } from "../test/support/schedule-slots.ts";
import { viewStores } from "../test/support/stored.ts";
import { printTable, runConcurrently } from "./figures.ts";

const SLOTS = Number(process.env.SLOTS ?? 1_000);
const CONCURRENCY = 16;
/** Each poll reads every table, which takes a second of a processor. */
const POLL_MS = 5_000;

const platform = await startPlatform({ env: { MAX_QUEUE_DEPTH: "0" } });
const stores = viewStores(platform);
try {
  const admin = clientOf(platform.url, platform.adminToken);
  const ids: string[] = [];
  await runConcurrently(SLOTS, CONCURRENCY, async (i) => {
    // Far in the future, so that no other slot fires.
    const json = {
      name: `schedule ${i}`,
      cron_expr: "0 0 29 2 *",
      endpoint: "/agents/assistant/runs",
      payload: { message: "hi" },
    };
    ids.push((await admin.post("/schedules", { json })).json.id);
  });
  const slot = Date.now();
  const from = performance.now();
  await runConcurrently(SLOTS, CONCURRENCY, (i) => deliverSlot(platform, ids[i] ?? "", slot));
  const sent = performance.now();
  const statuses = await untilEnded();
  const ended = performance.now();
  const seconds = (since: number) => `${((ended - since) / 1000).toFixed(1)} s`;
  printTable([
    { what: `${SLOTS} slots put into the queue`, figure: `${((sent - from) / 1000).toFixed(1)} s` },
    { what: "until every run has ended and is marked", figure: seconds(from) },
    { what: "runs a second", figure: (SLOTS / ((ended - from) / 1000)).toFixed(1) },
    { what: "attempts by status", figure: JSON.stringify(statuses) },
  ]);
} finally {
  stores.close();
  await platform.stop();
}

/** Waits until every attempt has ended. @returns the number of attempts by status */
async function untilEnded(): Promise<Record<string, number>> {
  for (;;) {
    await pause(POLL_MS);
    const { schedules, jobs } = await stores.read();
    const attempts = schedules.filter(({ schedule_id, status }) => schedule_id && status);
    const counts: Record<string, number> = {};
    for (const { status } of attempts) counts[String(status)] = (counts[String(status)] ?? 0) + 1;
    const open = (counts.running ?? 0) + (counts.queued ?? 0) + (counts.retrying ?? 0);
    const runs = jobs.filter(({ sk }) => sk === "job").length;
    if (attempts.length === SLOTS && open === 0 && runs === SLOTS) return counts;
    process.stderr.write(`\r${JSON.stringify(counts)} `);
  }
}
