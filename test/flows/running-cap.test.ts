import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { moveJob } from "../../shared/stores/jobs/move-job.ts";
import { queueWorld } from "../support/queue-world.ts";
import { T0 } from "../support/records.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

describe("MAX_RUNNING_PER_USER", () => {
  test("holds a user's run back while that many are executed, and lets it go on afterwards", async () => {
    const world = queueWorld(stores.db, { MAX_RUNNING_PER_USER: 1 });
    const first = await world.submit("first");
    await moveJob(stores.db, first.run_id, "claim", { now: T0, worker: "somebody" });
    const second = await world.submit("second");
    await world.deliver(second.run_id);
    expect(await world.job(second.run_id)).toMatchObject({ status: "queued", attempt: 0 });
    expect(world.queue.sent.at(-1)).toEqual({ job_id: second.run_id, user_id: "maria", delay_seconds: 1 });
    world.clock.advance(61_000);
    await world.sweep();
    await world.deliver(second.run_id);
    expect(await world.job(second.run_id)).toMatchObject({ status: "completed" });
  });

  test("holds for the runs of one batch too", async () => {
    const world = queueWorld(stores.db, { MAX_RUNNING_PER_USER: 2 });
    const runs = await Promise.all(["a", "b", "c", "d"].map((message) => world.submit(message)));
    await Promise.all(runs.map(({ run_id }) => world.deliver(run_id)));
    const jobs = await Promise.all(runs.map(({ run_id }) => world.job(run_id)));
    expect(jobs.map((job) => job?.status).toSorted()).toEqual(["completed", "completed", "queued", "queued"]);
  });

  test("never holds up a message for a job that is not due, or has ended", async () => {
    const world = queueWorld(stores.db, { MAX_RUNNING_PER_USER: 1 });
    const done = await world.submit("done");
    await world.deliver(done.run_id);
    const before = world.queue.sent.length;
    await world.deliver(done.run_id);
    expect(world.queue.sent).toHaveLength(before);
  });
});
