import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { afterEach, beforeEach, expect, test } from "vitest";
import { moveIndexRows } from "../../functions/sweeper/move-index-rows.ts";
import type { Db } from "../../shared/stores/db.ts";
import { countInIndex } from "../../shared/stores/jobs/counters.ts";
import { jobItem } from "../../shared/stores/jobs/job-item.ts";
import { listJobs, readJobs } from "../../shared/stores/jobs/list-jobs.ts";
import { moveJob } from "../../shared/stores/jobs/move-job.ts";
import { aJob, T0 } from "../support/records.ts";
import { startStores, type TestStores } from "../support/stores.ts";

const JOBS = 60;

let stores: TestStores;
let few: Db;
let many: Db;
beforeEach(async () => {
  stores = await startStores();
  few = { ...stores.db, jobIndexShards: 4 };
  many = { ...stores.db, jobIndexShards: 64 };
});
afterEach(() => stores?.stop());

async function accept(db: Db): Promise<string[]> {
  const jobs = Array.from({ length: JOBS }, () => aJob({ status: "queued" }));
  for (const job of jobs)
    await db.client.send(new PutCommand({ TableName: db.tables.jobs, Item: jobItem(db, job) }));
  return jobs.map(({ id }) => id).sort();
}

async function listed(db: Db): Promise<string[]> {
  const order = { sort_by: "created_at", sort_order: "asc" } as const;
  const { jobs } = await listJobs(db, { statuses: ["queued"], page: 1, limit: 1000, ...order }, T0);
  return jobs.map(({ id }) => id).sort();
}

/** Each partition beyond those that are read has its turn within an hour. */
async function sweepAnHour(db: Db): Promise<number> {
  let moved = 0;
  for (let minute = 0; minute < 60; minute += 1) moved += await moveIndexRows({ db }, T0 + minute * 60);
  return moved;
}

test("more partitions may be set at any time", async () => {
  const ids = await accept(few);
  expect(await listed(many)).toEqual(ids);
  expect(await countInIndex(many, "queued")).toBe(JOBS);
  ids.push(...(await accept(many)));
  expect(await listed(many)).toEqual(ids.sort());
  expect(await sweepAnHour(many)).toBe(0);
});

test("with fewer, the sweeper moves what lies beyond within an hour", async () => {
  const ids = await accept(many);
  expect((await listed(few)).length).toBeLessThan(JOBS);
  expect(await sweepAnHour(few)).toBeGreaterThan(0);
  expect(await listed(few)).toEqual(ids);
  expect(await countInIndex(few, "queued")).toBe(JOBS);
  expect(await sweepAnHour(few)).toBe(0);
});

test("a job that is claimed meanwhile keeps its claim, and its place among the running ones", async () => {
  const ids = await accept(many);
  const [first] = ids as [string];
  const claim = moveJob(few, first, "claim", { now: T0, worker: "w", staleBefore: T0 - 60 });
  const [{ moved }] = await Promise.all([claim, sweepAnHour(few)]);
  expect(moved).toBe(true);
  expect(await readJobs(few, [first])).toMatchObject([{ status: "running", locked_by: "w" }]);
  expect(await countInIndex(few, "running")).toBe(1);
  expect(await listed(few)).toEqual(ids.filter((id) => id !== first));
});
