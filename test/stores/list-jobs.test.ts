import { BatchWriteCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { transact } from "../../shared/data/write.ts";
import { type JobSortField, type JobStatus, jobStatuses } from "../../shared/schemas/queue/queue-job.ts";
import { countEnded, countJobs, countPaused } from "../../shared/stores/jobs/counters.ts";
import { jobItem, type StoredJob } from "../../shared/stores/jobs/job-item.ts";
import { type JobsQuery, listJobs, oldestQueued } from "../../shared/stores/jobs/list-jobs.ts";
import { aJob, T0 } from "../support/records.ts";
import { startStores, type TestStores } from "../support/stores.ts";

const NOW = T0 + 1000;
const EXPIRES = T0 + 90_000;
const ENDED_BY = { completed: 14, failed: 7, cancelled: 3 } as const;

let stores: TestStores;
let jobs: StoredJob[];
beforeAll(async () => {
  stores = await startStores();
  jobs = [
    ...some(9, "queued", {}),
    ...some(4, "running", { attempt: 1, locked_by: "worker-a", locked_at: T0 }),
    ...some(2, "paused", {}),
    ...some(ENDED_BY.completed, "completed", { completed_at: T0 + 50, expires_at: EXPIRES }),
    ...some(ENDED_BY.failed, "failed", { completed_at: T0 + 60, expires_at: EXPIRES, error: "boom" }),
    ...some(ENDED_BY.cancelled, "cancelled", { completed_at: T0 + 70, expires_at: EXPIRES }),
  ];
  await seed(jobs);
});
afterAll(() => stores.stop());

/** Several jobs were accepted in each second, so that ties matter; users and components vary. */
function some(count: number, status: JobStatus, changed: Parameters<typeof aJob>[0]): StoredJob[] {
  return Array.from({ length: count }, (_, i) => {
    const created_at = T0 + Math.floor(i / 3);
    const user_id = i % 4 === 0 ? null : `user-${i % 3}`;
    return aJob({
      ...changed,
      status,
      created_at,
      available_at: created_at,
      user_id,
      updated_at: i % 2 ? T0 + 90 - i : null,
    });
  });
}

async function seed(rows: StoredJob[]): Promise<void> {
  const table = stores.db.tables.jobs;
  for (let i = 0; i < rows.length; i += 25) {
    const puts = rows.slice(i, i + 25).map((job) => ({ PutRequest: { Item: jobItem(stores.db, job) } }));
    await stores.db.client.send(new BatchWriteCommand({ RequestItems: { [table]: puts } }));
  }
  for (const job of rows) {
    const { status, id } = job;
    if (status === "completed" || status === "failed" || status === "cancelled") {
      await transact(stores.db, (tryNumber) => ({
        counter: countEnded({ db: stores.db, id, tryNumber }, status, EXPIRES),
      }));
    }
    if (status === "paused") {
      await transact(stores.db, (tryNumber) => ({
        counter: countPaused({ db: stores.db, id, tryNumber }, 1),
      }));
    }
  }
}

const ask = (changed: Partial<JobsQuery> = {}): JobsQuery => ({
  statuses: jobStatuses,
  page: 1,
  limit: 20,
  sort_by: "created_at",
  sort_order: "desc",
  ...changed,
});

/** What the wire promises, computed the slow way. */
function expected({ statuses, sort_by, sort_order }: JobsQuery): string[] {
  const sortValue = (job: StoredJob) => {
    const value = sort_by === "updated_at" ? (job.updated_at ?? job.created_at) : job[sort_by];
    return value ?? null;
  };
  return jobs
    .filter((job) => statuses.includes(job.status))
    .sort((a, b) => {
      const [x, y] = [sortValue(a), sortValue(b)];
      if (x === y) return a.id < b.id ? -1 : 1;
      if (x === null || y === null) return x === null ? 1 : -1;
      return x < y === (sort_order === "asc") ? -1 : 1;
    })
    .map((job) => job.id);
}

async function allPages(asked: JobsQuery): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; ; page += 1) {
    const found = await listJobs(stores.db, { ...asked, page }, NOW);
    if (found.jobs.length === 0) return ids;
    expect(found.total).toBe(expected(asked).length);
    ids.push(...found.jobs.map((job) => job.id));
  }
}

const sorts: JobSortField[] = [
  "created_at",
  "updated_at",
  "completed_at",
  "status",
  "attempt",
  "component_id",
  "user_id",
];

describe.each(["asc", "desc"] as const)("listing %s", (sort_order) => {
  test.each(sorts)("by %s shows every job once, ties by id, nulls together", async (sort_by) => {
    const asked = ask({ sort_by, sort_order, limit: 7 });
    expect(await allPages(asked)).toEqual(expected(asked));
  });

  test.each([["failed"], ["failed", "cancelled"], ["queued", "running"], ["paused"]] as JobStatus[][])(
    "only %s %s",
    async (...statuses) => {
      const asked = ask({ statuses: statuses.filter(Boolean), sort_order, limit: 3 });
      expect(await allPages(asked)).toEqual(expected(asked));
    },
  );
});

test("a page beyond the end is empty and keeps the total", async () => {
  expect(await listJobs(stores.db, ask({ page: 99 }), NOW)).toEqual({ jobs: [], total: jobs.length });
});

test("jobs past their retention are neither shown nor counted, although they are still stored", async () => {
  const found = await listJobs(stores.db, ask({ limit: 100 }), EXPIRES);
  expect(new Set(found.jobs.map((job) => job.status))).toEqual(new Set(["queued", "running", "paused"]));
  expect(found.total).toBe(15);
});

test("counts by status are exact", async () => {
  expect(await countJobs(stores.db, jobStatuses, NOW)).toEqual({
    queued: 9,
    running: 4,
    paused: 2,
    ...ENDED_BY,
  });
});

test("the oldest queued job is known without reading the others", async () => {
  expect(await oldestQueued(stores.db, NOW)).toBe(T0);
});
