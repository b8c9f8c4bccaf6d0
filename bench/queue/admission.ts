import { BATCH_WRITES, writeBatch } from "../../shared/data/write-batch.ts";
import { putItem } from "../../shared/data/writes.ts";
import { createDepthGauge } from "../../shared/queue/depth-gauge.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import type { Db } from "../../shared/stores/db.ts";
import { countInIndex } from "../../shared/stores/jobs/counters.ts";
import { depthIn } from "../../shared/stores/jobs/depth-reading.ts";
import { jobItem } from "../../shared/stores/jobs/job-item.ts";
import { aJob } from "../../test/support/records.ts";
import { startStores } from "../../test/support/stores.ts";
import { figuresOf, ms, type Row, runConcurrently } from "../figures.ts";
import { meter, type Use } from "./metered.ts";

const SIZES = [1_000, 30_000, 300_000];
const PROCESSES = 4;
const SUBMISSIONS = 1_000;

/**
 * Measures what it costs to decide whether a submission is accepted, at so many waiting jobs of a queue that may hold
 * twice as many: by a count of the index for each, and by the reading that all processes share.
 */
export async function measureAdmission(): Promise<Row[]> {
  const { db, stop } = await startStores();
  const take = meter(db);
  const rows: Row[] = [];
  try {
    let seeded = 0;
    for (const size of SIZES) {
      await seed(db, size - seeded);
      seeded = size;
      rows.push(...(await measureAt(db, take, size)));
    }
    return rows;
  } finally {
    await stop();
  }
}

async function measureAt(db: Db, take: () => Use[], size: number): Promise<Row[]> {
  take();
  const counted = await runConcurrently(5, 1, async () => void (await countInIndex(db, "queued")));
  const before = unitsOf(take()).read / 5;
  const limits = { all: size * 2, ofUser: 0 };
  const gauges = Array.from({ length: PROCESSES }, () => createDepthGauge(depthIn(db), systemClock));
  const decided = await runConcurrently(SUBMISSIONS, PROCESSES, async (i) => {
    if (await gauges[i % PROCESSES]?.exceeded("maria", limits)) throw new Error("there was room");
  });
  const after = unitsOf(take());
  const at = `${size.toLocaleString("en")} waiting`;
  return [
    { what: `${at}, a count for each: read units`, figure: before.toFixed(0) },
    { what: `${at}, a count for each: p50`, figure: ms(figuresOf(counted.timesMs).p50) },
    {
      what: `${at}, shared reading: read and write units`,
      figure: `${(after.read / SUBMISSIONS).toFixed(2)} and ${(after.write / SUBMISSIONS).toFixed(2)}`,
    },
    { what: `${at}, shared reading: p50`, figure: ms(figuresOf(decided.timesMs).p50) },
    { what: `${at}, shared reading: p95`, figure: ms(figuresOf(decided.timesMs).p95) },
    { what: `${at}, shared reading: decisions`, figure: `${decided.perSecond.toFixed(0)} /s` },
  ];
}

function unitsOf(uses: readonly Use[]): { read: number; write: number } {
  return {
    read: uses.reduce((sum, { readUnits }) => sum + readUnits, 0),
    write: uses.reduce((sum, { writeUnits }) => sum + writeUnits, 0),
  };
}

const seed = (db: Db, jobs: number) =>
  runConcurrently(Math.ceil(jobs / BATCH_WRITES), 8, async () => {
    const some = Array.from({ length: Math.min(jobs, BATCH_WRITES) }, () => aJob({ user_id: "otto" }));
    await writeBatch(
      db,
      some.map((job) => putItem("jobs", jobItem(db, job))),
    );
  });
