import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { planRequeue } from "../../shared/domain/jobs/plan-requeue.ts";
import { cancelRun } from "../../shared/engine/lifecycle/cancel-run.ts";
import type { AcceptedRun } from "../../shared/schemas/runs/run.ts";
import { moveJob } from "../../shared/stores/jobs/move-job.ts";
import { CANCELLATION_LIFE_SECONDS } from "../../shared/stores/runs/run-cancellation.ts";
import { requeueRun } from "../../shared/stores/transactions/requeue-run.ts";
import { breakingDb } from "../support/breaking-db.ts";
import { type QueueWorld, queueWorld } from "../support/queue-world.ts";
import { T0 } from "../support/records.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const DAY = 86_400;
const nowOf = (world: QueueWorld) => Math.floor(world.clock.now() / 1000);

async function cancel(world: QueueWorld, accepted: AcceptedRun): Promise<void> {
  const run = await world.run(accepted);
  if (!run) throw new Error("the run is gone");
  await cancelRun(stores.db, run, nowOf(world), DAY);
}

async function requeue(world: QueueWorld, accepted: AcceptedRun, clear_cancellation: boolean): Promise<void> {
  const job = await world.job(accepted.run_id);
  if (!job) throw new Error("the job is gone");
  const plan = planRequeue(job, { force: true, clear_cancellation }, nowOf(world), 60);
  expect(await requeueRun(stores.db, job, await world.run(accepted), plan, nowOf(world))).toMatchObject({
    status: "queued",
  });
}

/** What followers of the run receive, in an order without gaps. */
async function eventTypesOf(world: QueueWorld, { run_id }: AcceptedRun): Promise<string[]> {
  const events = await world.events(run_id);
  expect(events.map(({ event_index }) => event_index)).toEqual(events.map((_, index) => index));
  return events.map(({ event }) => event);
}

describe("cancelling a queued run", () => {
  test("ends job and run at once; nothing is ever executed", async () => {
    const world = queueWorld(stores.db);
    const accepted = await world.submit("never mind");
    await cancel(world, accepted);
    expect(await world.job(accepted.run_id)).toMatchObject({
      status: "cancelled",
      attempt: 0,
      completed_at: T0,
      cancel_until: T0 + CANCELLATION_LIFE_SECONDS,
    });
    expect(await world.run(accepted)).toMatchObject({
      status: "CANCELLED",
      output: { content: expect.stringContaining("cancelled") },
    });
    await world.deliverAll();
    expect(await world.job(accepted.run_id)).toMatchObject({ status: "cancelled", attempt: 0 });
    expect(await eventTypesOf(world, accepted)).toEqual(["RunCancelled"]);
  });

  test("again changes nothing, nor does cancelling what has ended", async () => {
    const world = queueWorld(stores.db);
    const accepted = await world.submit("twice");
    await cancel(world, accepted);
    const job = await world.job(accepted.run_id);
    await cancel(world, accepted);
    expect(await world.job(accepted.run_id)).toEqual(job);
    const done = await world.submit("done");
    await world.deliver(done.run_id);
    await cancel(world, done);
    expect(await world.job(done.run_id)).toMatchObject({ status: "completed" });
    expect(await world.run(done)).toMatchObject({ status: "COMPLETED" });
  });
});

describe("a requeue of a cancelled job", () => {
  test("is claimed and cancelled again at its first checkpoint while the wish is live", async () => {
    const world = queueWorld(stores.db);
    const accepted = await world.submit("stop me");
    await cancel(world, accepted);
    await requeue(world, accepted, false);
    await world.deliver(accepted.run_id);
    expect(await world.job(accepted.run_id)).toMatchObject({ status: "cancelled", attempt: 1 });
    expect(await world.run(accepted)).toMatchObject({ status: "CANCELLED" });
    expect(await eventTypesOf(world, accepted)).toEqual(["RunCancelled", "RunCancelled"]);
  });

  test("executes once the wish is cleared with it", async () => {
    const world = queueWorld(stores.db);
    const accepted = await world.submit("after all");
    await cancel(world, accepted);
    await requeue(world, accepted, true);
    await world.deliver(accepted.run_id);
    expect(await world.job(accepted.run_id)).toMatchObject({
      status: "completed",
      attempt: 1,
      max_attempts: 2,
    });
    expect(await world.run(accepted)).toMatchObject({ status: "COMPLETED" });
  });

  test("executes without clearing once the wish has expired", async () => {
    const world = queueWorld(stores.db, { JOB_RETENTION_SECONDS: 10 * DAY });
    const accepted = await world.submit("a day later");
    await cancel(world, accepted);
    world.clock.advance((CANCELLATION_LIFE_SECONDS - 7200) * 1000);
    await requeue(world, accepted, false);
    world.clock.advance(7_201_000);
    await world.deliver(accepted.run_id);
    expect(await world.job(accepted.run_id)).toMatchObject({ status: "completed" });
  });
});

describe("cancelling a run that is executed", () => {
  const slept: number[] = [];
  const realTime = {
    now: Date.now,
    sleep: (ms: number, signal?: AbortSignal) => {
      slept.push(ms);
      return pause(ms, undefined, signal ? { signal } : {});
    },
  };

  test("reaches a sleeping model within two seconds and keeps what was said", async () => {
    const world = queueWorld(stores.db);
    const accepted = await world.submit("[[sleep:20000]]");
    const working = world.deliver(accepted.run_id, { clock: realTime });
    while ((await world.job(accepted.run_id))?.status !== "running") await pause(10);
    const run = await world.run(accepted);
    if (!run) throw new Error("the run is gone");
    const from = Date.now();
    await cancelRun(stores.db, run, Math.floor(Date.now() / 1000), DAY);
    await working;
    // So often it is looked for; a busy machine takes longer to look.
    expect(slept).not.toEqual([]);
    expect(Math.max(...slept)).toBeLessThan(2_000);
    expect(Date.now() - from).toBeLessThan(10_000);
    expect(await world.job(accepted.run_id)).toMatchObject({ status: "cancelled", attempt: 1 });
    expect(await world.run(accepted)).toMatchObject({ status: "CANCELLED" });
    const eventTypes = (await world.events(accepted.run_id)).map((e) => e.event);
    expect(eventTypes.slice(-2)).toEqual(["RunCancelled", "RunCompleted"]);
  });

  test("ends it cancelled when it was about to pause or to be tried again", async () => {
    for (const message of ["[[fail:boom]]", '[[tool:issue_refund {"order_id":"o","amount":1}]]']) {
      const world = queueWorld(stores.db, { MAX_ATTEMPTS: 3 });
      const accepted = await world.submit(message);
      const cancelMeanwhile = {
        ...world.models,
        resolve: async (spec?: string) => {
          await cancel(world, accepted);
          return world.models.resolve(spec);
        },
      };
      const agent = message.includes("issue_refund") ? world.agent("refund-desk") : world.agent("assistant");
      await world.deliver(accepted.run_id, { models: cancelMeanwhile, findRunnable: async () => agent });
      expect(await world.job(accepted.run_id)).toMatchObject({ status: "cancelled", attempt: 1 });
      const run = await world.run(accepted);
      expect(run).toMatchObject({ status: "CANCELLED" });
      // What it did is on record; what it was to emit of itself is not emitted.
      expect(run?.output.messages?.length).toBeGreaterThan(0);
      const events = await eventTypesOf(world, accepted);
      expect(events.at(-1)).toBe("RunCancelled");
      expect(events).not.toContain("RunPaused");
      expect(events).not.toContain("RunError");
    }
  });

  test("whose worker then dies ends it cancelled, with or without attempts left", async () => {
    for (const MAX_ATTEMPTS of [1, 2]) {
      const world = queueWorld(stores.db, { MAX_ATTEMPTS });
      const accepted = await world.submit("dying");
      await moveJob(stores.db, accepted.run_id, "claim", { now: nowOf(world), worker: "dead-worker" });
      await cancel(world, accepted);
      world.clock.advance(62_000);
      await world.sweep();
      expect(await world.job(accepted.run_id)).toMatchObject({ status: "cancelled", attempt: 1 });
      expect(await world.run(accepted)).toMatchObject({ status: "CANCELLED" });
      expect(await eventTypesOf(world, accepted)).toEqual(["RunCancelled"]);
    }
  });
});

test("a paused run is cancelled at once", async () => {
  const world = queueWorld(stores.db);
  const accepted = await world.submit('[[tool:issue_refund {"order_id":"o","amount":1}]]');
  await world.deliver(accepted.run_id, { findRunnable: async () => world.agent("refund-desk") });
  expect(await world.job(accepted.run_id)).toMatchObject({ status: "paused" });
  await cancel(world, accepted);
  expect(await world.job(accepted.run_id)).toMatchObject({ status: "cancelled", completed_at: T0 });
  expect(await world.run(accepted)).toMatchObject({ status: "CANCELLED" });
});

test.each(["before", "after"] as const)(
  "whoever cancels a paused run and dies %s a write leaves it paused as it was, or cancelled",
  async (when) => {
    const world = queueWorld(stores.db);
    const accepted = await world.submit('[[tool:issue_refund {"order_id":"o","amount":1}]]');
    await world.deliver(accepted.run_id, { findRunnable: async () => world.agent("refund-desk") });
    const [job, run] = [await world.job(accepted.run_id), await world.run(accepted)];
    if (!run) throw new Error("the run is gone");
    let deaths = 0;
    for (let isDone = false; !isDone; ) {
      const { db } = breakingDb(stores.db, deaths + 1, when);
      isDone = await cancelRun(db, run, nowOf(world), DAY).then(
        () => true,
        () => false,
      );
      if (isDone) break;
      deaths += 1;
      const left = await world.job(accepted.run_id);
      if (left?.status === "cancelled") break;
      expect(left).toEqual(job);
    }
    expect(deaths).toBeGreaterThan(0);
    expect(await world.run(accepted)).toMatchObject({ status: "CANCELLED" });
    expect(await world.job(accepted.run_id)).toMatchObject({
      status: "cancelled",
      cancel_until: T0 + CANCELLATION_LIFE_SECONDS,
    });
  },
);

test("an idle heartbeat refreshes the lock, and one that is refused stops the run without a word", async () => {
  const world = queueWorld(stores.db, { LOCK_GRACE_SECONDS: 9 });
  const accepted = await world.submit("[[sleep:60000]]");
  const working = world.deliver(accepted.run_id);
  while ((await world.job(accepted.run_id))?.status !== "running") await pause(5);
  while ((await world.job(accepted.run_id))?.locked_at === T0) {
    world.clock.advance(1_000);
    // The heartbeat is written before the clock has gone on for longer than the lock holds.
    await pause(50);
  }
  // Another worker takes the job over.
  const ahead = queueWorld(stores.db, { LOCK_GRACE_SECONDS: 9 });
  ahead.clock.advance(60_000);
  await ahead.sweep();
  const failed = await ahead.job(accepted.run_id);
  expect(failed).toMatchObject({ status: "failed" });
  let over = false;
  const finished = working.then(() => {
    over = true;
  });
  while (!over) {
    world.clock.advance(1_000);
    await pause(5);
  }
  await finished;
  expect(await ahead.job(accepted.run_id)).toEqual(failed);
});
