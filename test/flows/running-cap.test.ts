import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cancelRun } from "../../shared/engine/lifecycle/cancel-run.ts";
import type { AcceptedRun } from "../../shared/schemas/runs/run.ts";
import { moveJob } from "../../shared/stores/jobs/move-job.ts";
import { listWaiting, type WaitingJob } from "../../shared/stores/jobs/waiting-jobs.ts";
import { failRun } from "../../shared/stores/transactions/fail-run.ts";
import { type QueueWorld, queueWorld } from "../support/queue-world.ts";
import { T0 } from "../support/records.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const statusesOf = async (world: QueueWorld, runs: readonly AcceptedRun[]) =>
  (await Promise.all(runs.map(({ run_id }) => world.job(run_id)))).map((job) => job?.status);
const claimedByAnotherWorker = (run: AcceptedRun) =>
  moveJob(stores.db, run.run_id, "claim", { now: T0, worker: "another-worker" });

async function notes(): Promise<WaitingJob[]> {
  const all: WaitingJob[] = [];
  for await (const note of listWaiting(stores.db)) all.push(note);
  return all;
}

describe("MAX_RUNNING_PER_USER", () => {
  test("holds a user's run back without a message, and the end of another one sends it", async () => {
    const world = queueWorld(stores.db, { MAX_RUNNING_PER_USER: 1 });
    const first = await world.submit("[[sleep:1]] first");
    const second = await world.submit("second");
    world.queue.sent.splice(0);
    await world.deliver(first.run_id, {
      random: () => 0,
      findRunnable: async (kind, id, options) => {
        await world.deliver(second.run_id);
        expect(await world.job(second.run_id)).toMatchObject({ status: "queued", attempt: 0 });
        expect(world.queue.sent).toEqual([]);
        return world.findRunnable(kind, id, options);
      },
    });
    expect(world.queue.sent).toEqual([{ job_id: second.run_id, user_id: "maria" }]);
    await world.deliverAll();
    expect(await statusesOf(world, [first, second])).toEqual(["completed", "completed"]);
  });

  test("wakes as many as have room, the oldest first, and the last note goes with them", async () => {
    const world = queueWorld(stores.db, { MAX_RUNNING_PER_USER: 1 });
    const runs: AcceptedRun[] = [];
    for (let n = 0; n < 4; n += 1) runs.push(await world.submit(`run ${n}`));
    const [first, ...others] = runs as [AcceptedRun, ...AcceptedRun[]];
    await claimedByAnotherWorker(first);
    world.queue.sent.splice(0);
    for (const { run_id } of others.toReversed()) await world.deliver(run_id);
    world.clock.advance(61_000);
    await world.sweep();
    const order: (string | undefined)[] = [];
    while (world.queue.sent.length > 0) {
      order.push(...world.queue.sent.map(({ job_id }) => job_id).filter((id) => id !== first.run_id));
      await world.deliverAll();
    }
    expect([...new Set(order)]).toEqual(others.map(({ run_id }) => run_id));
    expect(await statusesOf(world, others)).toEqual(["completed", "completed", "completed"]);
    expect(await notes()).toEqual([]);
  });

  test("lets a run that comes later wait behind an older one of its user", async () => {
    const world = queueWorld(stores.db, { MAX_RUNNING_PER_USER: 1 });
    const [busy, older] = [await world.submit("busy"), await world.submit("older")];
    await claimedByAnotherWorker(busy);
    await world.deliver(older.run_id);
    await commitLost(world, busy);
    const younger = await world.submit("younger");
    world.queue.sent.splice(0);
    await world.deliver(younger.run_id);
    expect(world.queue.sent).toEqual([{ job_id: older.run_id, user_id: "maria" }]);
    await world.deliverAll();
    expect(await statusesOf(world, [older, younger])).toEqual(["completed", "queued"]);
    await world.deliverAll();
    expect(await statusesOf(world, [older, younger])).toEqual(["completed", "completed"]);
  });

  test("holds for the runs of one batch too", async () => {
    const world = queueWorld(stores.db, { MAX_RUNNING_PER_USER: 2 });
    const runs = await Promise.all(["a", "b", "c", "d"].map((message) => world.submit(message)));
    let atOnce = 0;
    let most = 0;
    const two = Promise.withResolvers<void>();
    const findRunnable: typeof world.findRunnable = async (...asked) => {
      most = Math.max(most, ++atOnce);
      if (atOnce === 2) two.resolve();
      await Promise.race([two.promise, pause(10_000)]);
      // A third would come within this time.
      await pause(50);
      atOnce -= 1;
      return world.findRunnable(...asked);
    };
    world.queue.sent.splice(0);
    const deliver = (id: string) => world.deliver(id, { findRunnable });
    const delivered = runs.map(({ run_id }) => deliver(run_id));
    // One that lets an older one pass wakes it by a message, which is delivered while the others go on.
    while ((await statusesOf(world, runs)).some((status) => status !== "completed")) {
      delivered.push(...world.queue.sent.splice(0).map(({ job_id }) => deliver(job_id)));
      await Promise.race([Promise.all(delivered), pause(10)]);
    }
    await Promise.all(delivered);
    expect(most).toBe(2);
  });

  test("wakes the next one where the one that was sent a wake-up has been cancelled", async () => {
    const world = queueWorld(stores.db, { MAX_RUNNING_PER_USER: 1 });
    const [busy, gone, next] = [
      await world.submit("busy"),
      await world.submit("gone"),
      await world.submit("next"),
    ];
    await claimedByAnotherWorker(busy);
    for (const { run_id } of [gone, next]) await world.deliver(run_id);
    const record = await world.run(gone);
    if (record) await cancelRun(stores.db, record, T0, 86_400);
    world.clock.advance(61_000);
    await world.sweep();
    while ((await world.deliverAll()) > 0);
    expect(await statusesOf(world, [gone, next])).toEqual(["cancelled", "completed"]);
  });

  test("is not asked about unowned jobs, and switched off wakes whoever waited for it", async () => {
    const limited = queueWorld(stores.db, { MAX_RUNNING_PER_USER: 1 });
    const [busy, held] = [await limited.submit("busy"), await limited.submit("held")];
    await claimedByAnotherWorker(busy);
    await limited.deliver(held.run_id);
    const unlimited = queueWorld(stores.db, { MAX_RUNNING_PER_USER: 0 });
    await unlimited.sweep();
    expect(unlimited.queue.sent).toEqual([{ job_id: held.run_id, user_id: "maria" }]);
    await unlimited.deliverAll();
    expect(await statusesOf(unlimited, [held])).toEqual(["completed"]);
  });

  test("never holds up a message for a job that has ended", async () => {
    const world = queueWorld(stores.db, { MAX_RUNNING_PER_USER: 1 });
    const done = await world.submit("done");
    await world.deliver(done.run_id);
    const before = world.queue.sent.length;
    await world.deliver(done.run_id);
    expect(world.queue.sent).toHaveLength(before);
  });
});

/** The run of a silent worker ends, and no wake-up is sent for it. */
async function commitLost(world: QueueWorld, run: AcceptedRun): Promise<void> {
  const job = await world.job(run.run_id);
  if (!job) throw new Error("the job is gone");
  await failRun(stores.db, job, "abandon", { now: T0, staleBefore: T0 }, "lost", {
    JOB_RETENTION_SECONDS: 86_400,
    MAX_ATTEMPTS: 1,
  });
}
