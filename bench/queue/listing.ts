import { write } from "../../shared/data/write.ts";
import { BATCH_WRITES, writeBatch } from "../../shared/data/write-batch.ts";
import { putItem } from "../../shared/data/writes.ts";
import { jobStatuses, type TerminalJobStatus } from "../../shared/schemas/queue/queue-job.ts";
import type { Db } from "../../shared/stores/db.ts";
import { countEnded } from "../../shared/stores/jobs/counters.ts";
import { jobItem, type StoredJob } from "../../shared/stores/jobs/job-item.ts";
import { type JobsQuery, listJobs } from "../../shared/stores/jobs/list-jobs.ts";
import { aJob, T0 } from "../../test/support/records.ts";
import { startStores } from "../../test/support/stores.ts";
import { figuresOf, ms, type Row, runConcurrently } from "../figures.ts";

const EXPIRES = T0 + 200_000;
const cases: Record<string, Partial<JobsQuery>> = {
  "page 1": {},
  "page 100": { page: 100 },
  "page 1, failed only": { statuses: ["failed"] },
  "page 1, by user": { sort_by: "user_id" },
};

/**
 * Measures lists as the queue's history grows: page 1, a deep page and filters at 1,000, 10,000 and 100,000 jobs,
 * directly against the stores.
 */
export async function measureListing(): Promise<Row[]> {
  const { db, stop } = await startStores();
  const rows: Row[] = [];
  try {
    let seeded = 0;
    for (const size of [1_000, 10_000, 100_000]) {
      await seed(db, seeded, size);
      seeded = size;
      for (const [name, query] of Object.entries(cases)) rows.push(await measure(db, name, query, size));
    }
    return rows;
  } finally {
    await stop();
  }
}

async function measure(db: Db, name: string, query: Partial<JobsQuery>, size: number): Promise<Row> {
  const whole: JobsQuery = {
    statuses: jobStatuses,
    page: 1,
    limit: 20,
    sort_by: "created_at",
    sort_order: "desc",
    ...query,
  };
  const expected = query.statuses ? size / 10 : size;
  const { timesMs } = await runConcurrently(query.sort_by ? 3 : 20, 1, async () => {
    const { total } = await listJobs(db, whole, T0 + 1);
    if (total !== expected) throw new Error(`${name}: ${total} of ${expected} were counted`);
  });
  return { what: `/queue/jobs, ${name} of ${size.toLocaleString("en")}`, figure: ms(figuresOf(timesMs).p50) };
}

/** Nine of ten completed, one failed; with the counters that ending the jobs would have written. */
async function seed(db: Db, from: number, to: number): Promise<void> {
  const ended: Record<TerminalJobStatus, number> = { completed: 0, failed: 0, cancelled: 0 };
  const jobs = Array.from({ length: to - from }, (_, i): StoredJob => {
    const status = (from + i) % 10 === 0 ? "failed" : "completed";
    ended[status] += 1;
    const created_at = T0 - 100_000 + from + i;
    const error = status === "failed" ? "boom" : null;
    return aJob({
      status,
      error,
      created_at,
      completed_at: T0,
      expires_at: EXPIRES,
      user_id: `user-${i % 50}`,
    });
  });
  await runConcurrently(Math.ceil(jobs.length / BATCH_WRITES), 8, async (batch) => {
    const some = jobs.slice(batch * BATCH_WRITES, (batch + 1) * BATCH_WRITES);
    await writeBatch(
      db,
      some.map((job) => putItem("jobs", jobItem(db, job))),
    );
  });
  for (const status of ["completed", "failed"] as const) {
    const counter = countEnded({ db, id: `${from}`, tryNumber: 0 }, status, EXPIRES);
    await write(db, counter.kind === "put" ? counter : { ...counter, add: { [status]: ended[status] } });
  }
}
