import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runOf } from "../../../shared/stores/jobs/job-item.ts";
import { moveJob } from "../../../shared/stores/jobs/move-job.ts";
import { markRunning } from "../../../shared/stores/runs/mark-running.ts";
import { type QueueSettings, type QueueWorld, queueWorld } from "../../support/queue-world.ts";
import { startStores, type TestStores } from "../../support/stores.ts";

/** Each test has a store of its own, because a check looks at all locks. */
let stores: TestStores;
beforeEach(async () => {
  stores = await startStores();
});
afterEach(() => stores.stop());

const aWorld = (settings: Partial<QueueSettings> = {}): QueueWorld => queueWorld(stores.db, settings);

const now = (world: QueueWorld) => Math.floor(world.clock.now() / 1000);

/** A worker takes a job and then goes silent. */
async function takenBySilentWorker(world: QueueWorld): Promise<string> {
  const { run_id } = await world.submit("hello");
  const claim = await moveJob(stores.db, run_id, "claim", { now: now(world), worker: `silent-${run_id}` });
  if (!claim.moved) throw new Error("the claim was lost");
  await markRunning(stores.db, runOf(claim.job), claim.job.attempt, now(world));
  world.queue.sent.length = 0;
  return run_id;
}

/** Lets time pass until a check comes, and makes it. @returns seconds that passed */
async function nextCheck(world: QueueWorld): Promise<number> {
  const at = world.lockChecks.dueAt.shift();
  if (at === undefined) throw new Error("no check is under way");
  const seconds = at - now(world);
  world.clock.advance(seconds * 1000);
  await world.checkLocks();
  return seconds;
}

describe("the sweeper", () => {
  test("sends one check for the moment at which the first lock can be stale, and none where nothing runs", async () => {
    const world = aWorld({ MAX_ATTEMPTS: 2 });
    await world.sweep();
    expect(world.lockChecks.dueAt).toEqual([]);
    const first = await takenBySilentWorker(world);
    world.clock.advance(10_000);
    await takenBySilentWorker(world);
    await world.sweep();
    expect(world.lockChecks.dueAt).toEqual([now(world) + 51]);
    await nextCheck(world);
    expect(await world.job(first)).toMatchObject({ status: "queued", attempt: 1 });
    expect(world.queue.sent).toMatchObject([{ job_id: first }]);
  });

  test("replaces a lost one before the lock is stale", async () => {
    const world = aWorld({ MAX_ATTEMPTS: 2 });
    const id = await takenBySilentWorker(world);
    await world.sweep();
    world.lockChecks.dueAt.length = 0;
    world.clock.advance(30_000);
    await world.sweep();
    expect(await nextCheck(world)).toBe(31);
    expect(await world.job(id)).toMatchObject({ status: "queued" });
  });

  test("sends one beside another in any case, and both together send one next", async () => {
    const world = aWorld({ MAX_ATTEMPTS: 2 });
    await takenBySilentWorker(world);
    world.clock.advance(30_000);
    await takenBySilentWorker(world);
    await world.sweep();
    await world.sweep();
    expect(world.lockChecks.dueAt).toEqual([now(world) + 31, now(world) + 31]);
    await nextCheck(world);
    await nextCheck(world);
    expect(world.lockChecks.dueAt).toEqual([now(world) + 30]);
  });

  test("sends another when it could not send one", async () => {
    const world = aWorld({ MAX_ATTEMPTS: 2 });
    await takenBySilentWorker(world);
    world.lockChecks.reachable = false;
    await world.sweep();
    world.lockChecks.reachable = true;
    world.clock.advance(60_000);
    expect(await world.sweep()).toMatchObject({ released: 1 });
    await takenBySilentWorker(world);
    await world.sweep();
    expect(world.lockChecks.dueAt).toEqual([now(world) + 61]);
  });
});

describe("a check", () => {
  test("sends the next for the next lock, until nothing runs", async () => {
    const world = aWorld({ MAX_ATTEMPTS: 2 });
    const first = await takenBySilentWorker(world);
    world.clock.advance(20_000);
    const second = await takenBySilentWorker(world);
    await world.sweep();
    await nextCheck(world);
    expect(await world.job(first)).toMatchObject({ status: "queued" });
    expect(await world.job(second)).toMatchObject({ status: "running" });
    expect(await nextCheck(world)).toBe(20);
    expect(await world.job(second)).toMatchObject({ status: "queued" });
    expect(world.lockChecks.dueAt).toEqual([]);
  });

  test("that comes twice, or late, sends one next check", async () => {
    const world = aWorld({ MAX_ATTEMPTS: 2 });
    await takenBySilentWorker(world);
    await world.sweep();
    world.lockChecks.dueAt.length = 0;
    world.clock.advance(30_000);
    await takenBySilentWorker(world);
    world.clock.advance(31_000);
    await Promise.all([world.checkLocks(), world.checkLocks()]);
    await world.checkLocks();
    expect(world.lockChecks.dueAt).toEqual([now(world) + 30]);
  });

  test("leaves a job whose worker sent a heartbeat meanwhile", async () => {
    const world = aWorld({ MAX_ATTEMPTS: 2 });
    const id = await takenBySilentWorker(world);
    await world.sweep();
    world.clock.advance(40_000);
    await moveJob(stores.db, id, "heartbeat", { now: now(world), worker: `silent-${id}`, attempt: 1 });
    expect(await nextCheck(world)).toBe(21);
    expect(await world.job(id)).toMatchObject({ status: "running", attempt: 1 });
    expect(await nextCheck(world)).toBe(40);
    expect(await world.job(id)).toMatchObject({ status: "queued" });
  });

  test("fails a job visibly that has no attempt left", async () => {
    const world = aWorld();
    const id = await takenBySilentWorker(world);
    await world.sweep();
    await nextCheck(world);
    expect(await world.job(id)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("stopped without a word"),
    });
  });

  test("comes in steps where the lock grace is longer than a message can be delayed", async () => {
    const world = aWorld({ LOCK_GRACE_SECONDS: 2_000 });
    const id = await takenBySilentWorker(world);
    await world.sweep();
    expect(await nextCheck(world)).toBe(900);
    expect(await nextCheck(world)).toBe(900);
    expect(await nextCheck(world)).toBe(201);
    expect(await world.job(id)).toMatchObject({ status: "failed" });
  });
});

describe("a worker", () => {
  test("asks for a check where its lock could be stale before the sweeper comes, once for many jobs", async () => {
    const world = aWorld({ LOCK_GRACE_SECONDS: 12 });
    for (let i = 0; i < 3; i += 1) await world.submit("hello");
    await world.deliverAll();
    expect(world.lockChecks.dueAt).toEqual([now(world) + 13]);
    await nextCheck(world);
    expect(world.lockChecks.dueAt).toEqual([]);
    await world.submit("hello again");
    await world.deliverAll();
    expect(world.lockChecks.dueAt).toEqual([now(world) + 13]);
  });

  test("asks for none with the usual lock grace", async () => {
    const world = aWorld();
    await world.submit("hello");
    await world.deliverAll();
    expect(world.lockChecks.dueAt).toEqual([]);
  });

  test("executes its runs although no check can be sent", async () => {
    const world = aWorld({ LOCK_GRACE_SECONDS: 12 });
    world.lockChecks.reachable = false;
    const { run_id } = await world.submit("hello");
    await world.deliverAll();
    expect(await world.job(run_id)).toMatchObject({ status: "completed" });
  });
});
