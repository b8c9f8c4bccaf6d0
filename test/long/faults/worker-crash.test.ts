import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { write } from "../../../shared/data/write.ts";
import { planRequeue } from "../../../shared/domain/jobs/plan-requeue.ts";
import type { Db } from "../../../shared/stores/db.ts";
import { runOf } from "../../../shared/stores/jobs/job-item.ts";
import { moveJob } from "../../../shared/stores/jobs/move-job.ts";
import { markRunning } from "../../../shared/stores/runs/mark-running.ts";
import { runUpdate } from "../../../shared/stores/runs/run-update.ts";
import { requeueRun } from "../../../shared/stores/transactions/requeue-run.ts";
import { type QueueWorld, queueWorld } from "../../support/queue-world.ts";
import { startStores, type TestStores } from "../../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const GRACE_MS = 60_000;
const later = (world: QueueWorld) => world.clock.advance(GRACE_MS + 2_000);

/** A worker that dies after its claim: it stays silent. */
async function dieAfterClaim(world: QueueWorld, id: string) {
  const now = Math.floor(world.clock.now() / 1000);
  const claim = await moveJob(stores.db, id, "claim", { now, worker: "dead-worker" });
  if (!claim.moved) throw new Error("the claim was lost");
  await markRunning(stores.db, runOf(claim.job), claim.job.attempt, now);
  world.queue.sent.length = 0;
}

/** The same store, whose n-th write breaks the connection: before it is done, or after. */
function breaking(db: Db, atWrite: number, when: "before" | "after"): Db {
  let writes = 0;
  const client = new Proxy(db.client, {
    get(target, name) {
      if (name !== "send") return Reflect.get(target, name);
      return async (command: { constructor: { name: string } }) => {
        const isWrite = /Put|Update|Transact/.test(command.constructor.name);
        const breaks = isWrite && ++writes >= atWrite;
        if (breaks && when === "before") throw new Error("connection lost");
        const answer = await target.send(command as never);
        if (breaks) throw new Error("connection lost");
        return answer;
      };
    },
  });
  return { ...db, client };
}

describe("with the default budget of one", () => {
  test("a job whose worker dies fails visibly after the lock grace and is not executed again", async () => {
    const world = queueWorld(stores.db);
    const accepted = await world.submit("doomed");
    await dieAfterClaim(world, accepted.run_id);
    expect((await world.sweep()).failed).toBe(0);
    expect(await world.job(accepted.run_id)).toMatchObject({ status: "running" });
    later(world);
    expect((await world.sweep()).failed).toBe(1);
    const job = await world.job(accepted.run_id);
    expect(job).toMatchObject({ status: "failed", attempt: 1, error: expect.stringContaining("Requeue") });
    expect(await world.run(accepted)).toMatchObject({ status: "ERROR", output: { content: job?.error } });
    await world.deliver(accepted.run_id);
    expect(await world.job(accepted.run_id)).toMatchObject({ status: "failed", attempt: 1 });
  });

  test("a failing model fails job and run with the same text, once", async () => {
    const world = queueWorld(stores.db);
    const accepted = await world.submit("[[fail:boom]]");
    await world.deliverAll();
    expect(await world.job(accepted.run_id)).toMatchObject({ status: "failed", attempt: 1, error: "boom" });
    expect(await world.run(accepted)).toMatchObject({ status: "ERROR", output: { content: "boom" } });
    expect((await world.events(accepted.run_id)).at(-1)).toMatchObject({ event: "RunError" });
  });

  test("a requeue gives exactly one more execution", async () => {
    const world = queueWorld(stores.db);
    const accepted = await world.submit("[[fail:boom]]");
    await world.deliverAll();
    const failed = await world.job(accepted.run_id);
    if (!failed) throw new Error("the job is gone");
    const now = Math.floor(world.clock.now() / 1000);
    const plan = planRequeue(failed, { force: true, clear_cancellation: false }, now, 60);
    expect(await requeueRun(stores.db, failed, await world.run(accepted), plan, now)).toMatchObject({
      status: "queued",
    });
    await world.deliver(accepted.run_id);
    expect(await world.job(accepted.run_id)).toMatchObject({ status: "failed", attempt: 2, max_attempts: 2 });
    const events = await world.events(accepted.run_id);
    expect(events[0]).toMatchObject({ event: "RunStarted", event_index: 3 });
  });
});

describe("a stale job whose run record had come to rest already", () => {
  test.each([
    ["COMPLETED", "completed"],
    ["CANCELLED", "cancelled"],
    ["PAUSED", "paused"],
  ] as const)("%s becomes %s and is not executed again", async (recorded, settled) => {
    const world = queueWorld(stores.db, { MAX_ATTEMPTS: 2 });
    const accepted = await world.submit("already over");
    await dieAfterClaim(world, accepted.run_id);
    const run = await world.run(accepted);
    if (!run) throw new Error("the run is gone");
    const output = { ...run.output, status: recorded, content: "what was said" };
    const change = { status: recorded, output };
    await write(stores.db, runUpdate(run, { by: "attempt", attempt: 1 }, change));
    later(world);
    expect((await world.sweep()).settled).toBe(1);
    expect(await world.job(accepted.run_id)).toMatchObject({ status: settled, attempt: 1, locked_by: null });
    expect(await world.run(accepted)).toMatchObject({
      status: recorded,
      output: { content: "what was said" },
    });
    await world.deliver(accepted.run_id);
    expect(await world.job(accepted.run_id)).toMatchObject({ status: settled, attempt: 1 });
  });
});

describe("with a budget of two", () => {
  test("a job whose worker dies is executed again, as attempt 2, after the lock grace", async () => {
    const world = queueWorld(stores.db, { MAX_ATTEMPTS: 2 });
    const accepted = await world.submit("second chance");
    await dieAfterClaim(world, accepted.run_id);
    later(world);
    expect((await world.sweep()).released).toBe(1);
    expect(await world.run(accepted)).toMatchObject({ status: "PENDING" });
    await world.deliverAll();
    expect(await world.job(accepted.run_id)).toMatchObject({ status: "completed", attempt: 2 });
  });

  test("a failing model goes back to the queue with a wait, then fails", async () => {
    const world = queueWorld(stores.db, { MAX_ATTEMPTS: 2 });
    const accepted = await world.submit("[[fail:boom]]");
    await world.deliverAll();
    const waiting = await world.job(accepted.run_id);
    const now = Math.floor(world.clock.now() / 1000);
    expect(waiting).toMatchObject({ status: "queued", attempt: 1, error: "boom", available_at: now + 15 });
    expect((await world.events(accepted.run_id)).map((e) => e.event)).not.toContain("RunError");
    world.clock.advance(15_000);
    await world.deliverAll();
    expect(await world.job(accepted.run_id)).toMatchObject({ status: "failed", attempt: 2, error: "boom" });
  });

  test("a wake-up that comes too early is sent again for the right time", async () => {
    const world = queueWorld(stores.db, { MAX_ATTEMPTS: 2 });
    const { run_id } = await world.submit("[[fail:boom]]");
    await world.deliverAll();
    world.queue.sent.length = 0;
    await world.deliver(run_id);
    expect(world.queue.sent).toMatchObject([{ job_id: run_id, delay_seconds: 15 }]);
    expect(await world.job(run_id)).toMatchObject({ status: "queued", attempt: 1 });
  });

  test("the stale attempt's late end changes nothing", async () => {
    const world = queueWorld(stores.db, { MAX_ATTEMPTS: 2 });
    const accepted = await world.submit("[[sleep:200]]");
    const slow = world.deliver(accepted.run_id);
    // The first worker is alive but silent: time passes for everybody else.
    while ((await world.run(accepted))?.status !== "RUNNING") await new Promise(setImmediate);
    const ahead = queueWorld(stores.db, { MAX_ATTEMPTS: 2 });
    ahead.clock.advance(GRACE_MS + 2_000);
    expect((await ahead.sweep()).released).toBe(1);
    await ahead.deliverAll();
    const settled = await ahead.job(accepted.run_id);
    const record = await ahead.run(accepted);
    const eventsAhead = await ahead.events(accepted.run_id);
    expect(settled).toMatchObject({ status: "completed", attempt: 2 });
    await slow;
    expect(await ahead.job(accepted.run_id)).toEqual(settled);
    expect(await ahead.run(accepted)).toEqual(record);
    expect(await ahead.events(accepted.run_id)).toEqual(eventsAhead);
  });
});

describe.each(["before", "after"] as const)("a worker that loses its store %s a write", (when) => {
  test.each([1, 2, 3])(
    "number %i leaves a job that still ends, and is never executed beyond its budget",
    async (n) => {
      const world = queueWorld(stores.db);
      const accepted = await world.submit("fragile");
      const cut = { db: breaking(stores.db, n, when) };
      const died = await world.deliver(accepted.run_id, cut).then(
        () => false,
        () => true,
      );
      expect(died || when === "after" || n > 2).toBe(true);
      // The message comes back at once, then the sweeper looks after what is left.
      await world.deliver(accepted.run_id);
      later(world);
      await world.sweep();
      await world.deliverAll();
      const job = await world.job(accepted.run_id);
      expect(job?.attempt).toBe(1);
      expect(["completed", "failed"]).toContain(job?.status);
      expect((await world.run(accepted))?.status).toBe(job?.status === "completed" ? "COMPLETED" : "ERROR");
    },
  );
});

describe("a picture that a tool gives", () => {
  const drawing = '[[tool:draw_badge {"colour":"#00aa55"}]]';
  const ofSession = (session_id: string) =>
    [...stores.objects.held.keys()].filter((key) => key.includes(`/=${session_id}/`));

  test.each(["before", "after"] as const)("is one, whichever write a process dies %s", async (when) => {
    for (let n = 1; n <= 6; n += 1) {
      const world = queueWorld(stores.db, { MAX_ATTEMPTS: 2 });
      const accepted = await world.submit(drawing);
      await world.deliver(accepted.run_id, { db: breaking(stores.db, n, when) }).catch(() => undefined);
      await world.deliver(accepted.run_id);
      later(world);
      await world.sweep();
      await world.deliverAll();
      const run = await world.run(accepted);
      expect([n, run?.status, run?.output.images]).toMatchObject([
        n,
        "COMPLETED",
        [{ filename: "badge.png" }],
      ]);
      expect(run?.output.images?.[0]?.object?.key).toBe(ofSession(accepted.session_id)[0]);
      expect(ofSession(accepted.session_id)).toHaveLength(1);
    }
  });

  test("is not given while the bucket is down: the call has failed, and the run goes on", async () => {
    const world = queueWorld(stores.db);
    const accepted = await world.submit(drawing);
    stores.objects.isDown = true;
    await world.deliverAll().finally(() => {
      stores.objects.isDown = false;
    });
    const run = await world.run(accepted);
    expect(run).toMatchObject({ status: "COMPLETED", output: { tools: [{ tool_call_error: true }] } });
    expect(run?.output.images).toBeUndefined();
  });
});

test("a run that takes longer than its time fails with a text that says so", async () => {
  const world = queueWorld(stores.db, { EXECUTION_TIMEOUT_SECONDS: 1 });
  const accepted = await world.submit("[[sleep:5000]]");
  const clock = { ...world.clock, sleep: (ms: number, signal?: AbortSignal) => realSleep(ms, signal) };
  await world.deliver(accepted.run_id, { clock });
  expect(await world.job(accepted.run_id)).toMatchObject({
    status: "failed",
    error: "The run reached its execution timeout of 1 second.",
  });
});

test("a run that takes longer than its time is executed again while attempts are left, after its last step", async () => {
  const world = queueWorld(stores.db, { EXECUTION_TIMEOUT_SECONDS: 1, MAX_ATTEMPTS: 2 });
  const accepted = await world.submit("[[sleep:5000]]");
  const clock = { ...world.clock, sleep: (ms: number, signal?: AbortSignal) => realSleep(ms, signal) };
  await world.deliver(accepted.run_id, { clock });
  expect(await world.job(accepted.run_id)).toMatchObject({ status: "queued", attempt: 1, max_attempts: 2 });
  world.clock.advance(60_000);
  await world.deliver(accepted.run_id, { clock });
  expect(await world.job(accepted.run_id)).toMatchObject({ status: "failed", attempt: 2 });
});

test("a component that is no longer registered fails its jobs visibly", async () => {
  const world = queueWorld(stores.db);
  const accepted = await world.submit("anyone there?");
  await world.deliver(accepted.run_id, { findRunnable: async () => undefined });
  expect(await world.job(accepted.run_id)).toMatchObject({
    status: "failed",
    error: expect.stringContaining("not registered"),
  });
});

describe("an answer that is larger than a record may be", () => {
  const LARGE = "[[tokens:60000]]";

  test("is kept whole", async () => {
    const world = queueWorld(stores.db);
    const accepted = await world.submit(LARGE);
    await world.deliverAll();
    const run = await world.run(accepted);
    expect(run).toMatchObject({ status: "COMPLETED" });
    expect(String(run?.output.content).length).toBeGreaterThan(300_000);
  });

  test("is tried again while the bucket is down, and fails visibly when no attempt is left", async () => {
    const world = queueWorld(stores.db, { MAX_ATTEMPTS: 2 });
    const accepted = await world.submit(LARGE);
    stores.objects.isDown = true;
    try {
      await expect(world.deliver(accepted.run_id)).rejects.toThrow("ECONNREFUSED");
      world.clock.advance(61_000);
      expect(await world.sweep()).toMatchObject({ released: 1 });
      await expect(world.deliver(accepted.run_id)).rejects.toThrow("ECONNREFUSED");
      world.clock.advance(61_000);
      expect(await world.sweep()).toMatchObject({ failed: 1 });
    } finally {
      stores.objects.isDown = false;
    }
    expect(await world.job(accepted.run_id)).toMatchObject({ status: "failed", attempt: 2 });
    expect(await world.run(accepted)).toMatchObject({ status: "ERROR" });
  });
});

function realSleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
