import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { afterEach, beforeEach, expect, test } from "vitest";
import { moveIndexRows } from "../../functions/sweeper/move-index-rows.ts";
import { transact } from "../../shared/data/write.ts";
import type { Db } from "../../shared/stores/db.ts";
import { countEnded, countInIndex, countJobs, countPaused } from "../../shared/stores/jobs/counters.ts";
import { jobItem } from "../../shared/stores/jobs/job-item.ts";
import { userPartition, userPartitions } from "../../shared/stores/jobs/job-keys.ts";
import { countQueuedOf, listRunningOf } from "../../shared/stores/jobs/jobs-of-user.ts";
import { listJobs, readJobs } from "../../shared/stores/jobs/list-jobs.ts";
import { moveJob } from "../../shared/stores/jobs/move-job.ts";
import { findRunTimes } from "../../shared/stores/runs/listing/find-run-times.ts";
import { findRuns } from "../../shared/stores/runs/listing/find-runs.ts";
import { runItem } from "../../shared/stores/runs/run-item.ts";
import { sessionItem } from "../../shared/stores/sessions/session-item.ts";
import { putItems } from "../support/put-items.ts";
import { aJob, aRunOf, aSessionOf, T0 } from "../support/records.ts";
import { startStores, type TestStores } from "../support/stores.ts";

const JOBS = 60;

let stores: TestStores;
let few: Db;
let many: Db;
beforeEach(async () => {
  stores = await startStores();
  few = { ...stores.db, jobIndexShards: 4 };
  many = { ...stores.db, jobIndexShards: 64, runIndexShards: 16 };
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

test("the live jobs of one user are spread with them, and whoever counts them finds those of before too", async () => {
  const queued = [...(await accept(few)), ...(await accept(many))];
  const running = Array.from({ length: JOBS }, () => aJob({ status: "running" }));
  await putItems(
    many,
    "jobs",
    running.map((job) => jobItem(many, job)),
  );
  const [user] = running.map(({ user_id }) => user_id);
  expect(new Set(queued.map((id) => userPartition(many, String(user), id))).size).toBeGreaterThan(4);
  expect(userPartitions(few, "otto")).toEqual(["user#otto"]);
  expect(await countQueuedOf(many, String(user))).toBe(2 * JOBS);
  expect((await listRunningOf(many, String(user))).sort()).toEqual(running.map(({ id }) => id).sort());
});

test("with more counters of ended jobs the totals have what the fewer had counted", async () => {
  const end = (db: Db, tryNumber: number) =>
    transact(db, { counter: countEnded({ db, id: aJob({}).id, tryNumber }, "completed", T0 + 7_200) });
  const pause = (db: Db) => transact(db, { counter: countPaused({ db, id: aJob({}).id, tryNumber: 0 }, 1) });
  for (const db of [few, many]) for (const tryNumber of [0, 0, 1, 2]) await end(db, tryNumber);
  for (const db of [few, many]) for (let paused = 0; paused < 5; paused += 1) await pause(db);
  expect(await countJobs(many, ["completed", "paused"], T0)).toEqual({ completed: 8, paused: 10 });
  // What does not expire is found with fewer again.
  expect(await countJobs(few, ["paused"], T0)).toEqual({ paused: 10 });
});

test("lists over everybody's runs, and over a component's, have those of a time with fewer partitions", async () => {
  // The time that is in their ids.
  const created_at = Math.floor(Date.now() / 1000);
  const session_id = "session-of-all";
  await putItems(many, "sessions", [sessionItem(aSessionOf(aJob({ session_id })))]);
  const runsOf = (db: Db) =>
    Array.from({ length: 20 }, () => aRunOf(aJob({ created_at, session_id }), { status: "COMPLETED" })).map(
      (run) => runItem(run, db),
    );
  const items = [...runsOf(few), ...runsOf(many)];
  await putItems(many, "runs", items);
  expect(new Set(items.map(({ all_key }) => all_key)).size).toBeGreaterThan(4);
  const query = {
    owner: undefined,
    kinds: [{ component_type: "agent" as const, ids: "all" as const }],
    limit: 100,
  };
  const ids = items.map(({ run_id }) => run_id).sort();
  const found = async (more: object) =>
    (await findRuns(many, { ...query, ...more }, T0)).runs.map(({ run_id }) => run_id).sort();
  expect(await found({})).toEqual(ids);
  expect(await found({ component_id: items[0]?.component_id })).toEqual(ids);
  for (const { run_id } of items.slice(18, 22))
    expect(await findRunTimes(many, String(run_id), T0)).toMatchObject({ created_at });
});
