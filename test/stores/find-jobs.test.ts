import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findJobs } from "../../shared/stores/jobs/find-jobs.ts";
import { jobItem, type StoredJob } from "../../shared/stores/jobs/job-item.ts";
import { aJob, T0 } from "../support/records.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
/** 230 failed jobs, the oldest first; every tenth of another component, every fourth with another error. */
let failed: StoredJob[];
beforeAll(async () => {
  stores = await startStores();
  failed = Array.from({ length: 230 }, (_, i) =>
    aJob({
      status: "failed",
      component_id: i % 10 === 0 ? "refund-desk" : "assistant",
      error: i % 4 === 0 ? "throttled" : "boom",
      created_at: T0 + Math.floor(i / 3),
      completed_at: T0 + 100,
      expires_at: T0 + 7200,
    }),
  );
  for (const job of [
    ...failed,
    aJob(),
    aJob({ status: "cancelled", completed_at: T0, expires_at: T0 + 1 }),
  ]) {
    await stores.db.client.send(
      new PutCommand({ TableName: stores.db.tables.jobs, Item: jobItem(stores.db, job) }),
    );
  }
});
afterAll(() => stores.stop());

const idsOf = (jobs: readonly StoredJob[]) => jobs.map(({ id }) => id);
const find = (filter: Omit<Parameters<typeof findJobs>[1], "statuses">, limit: number) =>
  findJobs(stores.db, { statuses: ["failed", "cancelled"], ...filter }, limit, T0 + 200);

describe("finding jobs", () => {
  test("takes the oldest first, by acceptance to the end of each second, and leaves expired ones out", async () => {
    expect(idsOf((await find({}, 1000)).jobs)).toEqual(idsOf(failed));
  });

  test("ends at the limit and says that there are more", async () => {
    const { jobs, more } = await find({}, 150);
    expect(idsOf(jobs)).toEqual(idsOf(failed.slice(0, 150)));
    expect(more).toBe(true);
    expect((await find({}, 230)).more).toBe(false);
  });

  test("filters by component and by a part of the error, beyond the rows that it reads at a time", async () => {
    const wanted = failed.filter((job) => job.component_id === "refund-desk" && job.error === "boom");
    const { jobs, more } = await find({ component_id: "refund-desk", error_contains: "oo" }, 100);
    expect(idsOf(jobs)).toEqual(idsOf(wanted));
    expect(wanted.length).toBeGreaterThan(5);
    expect(more).toBe(false);
  });
});
