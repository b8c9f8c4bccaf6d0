import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { planRequeue } from "../../../shared/domain/jobs/plan-requeue.ts";
import { defineAgent } from "../../../shared/engine/define/agent.ts";
import { cancelRun } from "../../../shared/engine/lifecycle/cancel-run.ts";
import type { Tool } from "../../../shared/engine/tool/tool.ts";
import type { AcceptedRun } from "../../../shared/schemas/runs/run.ts";
import { requeueRun } from "../../../shared/stores/transactions/requeue-run.ts";
import { type BreakingDb, breakingDb } from "../../support/breaking-db.ts";
import { continueJob } from "../../support/continue-job.ts";
import { type Fate, type PaymentService, startPaymentService } from "../../support/payment-service.ts";
import { type QueueWorld, queueWorld } from "../../support/queue-world.ts";
import { startStores, type TestStores } from "../../support/stores.ts";

let stores: TestStores;
let payments: PaymentService;
beforeAll(async () => {
  [stores, payments] = await Promise.all([startStores(), startPaymentService()]);
});
afterAll(async () => {
  await payments.stop();
  await stores.stop();
});
afterEach(() => payments.decide(() => "answered"));

type Recovery = "retry" | "requeue";
const GRACE_MS = 62_000;
let orders = 0;

/** One run that charges one order, in a world of its own. */
async function chargingRun(effect: Tool["effect"], attempts: number) {
  const order = `order-${++orders}`;
  const agent = defineAgent({ id: "assistant", name: "Assistant", tools: [payments.tool(effect)] });
  const world = queueWorld(stores.db, { MAX_ATTEMPTS: attempts });
  const run = await world.submit(`[[tool:charge {"order":"${order}"}]]`);
  world.queue.sent.length = 0;
  return { order, world, run, overrides: { findRunnable: async () => agent } };
}
type Charging = Awaited<ReturnType<typeof chargingRun>>;

/** A worker that may die on its way. @returns whether it did */
async function work({ world, run, overrides }: Charging, process: BreakingDb): Promise<boolean> {
  return world.deliver(run.run_id, { ...overrides, db: process.db }).then(
    () => false,
    () => true,
  );
}

/** What the platform does by itself, or an operator, once a worker is silent: then a healthy worker takes the run up. */
async function recover({ world, run, overrides }: Charging, recovery: Recovery): Promise<void> {
  world.clock.advance(GRACE_MS);
  await world.sweep();
  if (recovery === "requeue" && (await world.job(run.run_id))?.status === "failed") await requeue(world, run);
  await world.deliver(run.run_id, overrides);
}

async function requeue(world: QueueWorld, run: AcceptedRun): Promise<void> {
  const failed = await world.job(run.run_id);
  if (!failed) throw new Error("the job is gone");
  const now = Math.floor(world.clock.now() / 1000);
  const plan = planRequeue(failed, { force: true, clear_cancellation: true }, now, 60);
  await requeueRun(stores.db, failed, await world.run(run), plan, now);
}

/** A person looks at the books: what was not charged is charged now, what was is noted. */
async function decide(charging: Charging): Promise<void> {
  const { world, run, order, overrides } = charging;
  const [job, record] = [await world.job(run.run_id), await world.run(run)];
  if (!job || !record) throw new Error("the run is gone");
  const happened = payments.charges(order) > 0;
  const answer = happened
    ? { confirmed: false, confirmation_note: `receipt 1 for ${order}` }
    : { confirmed: true };
  await continueJob(stores.db, job, record, answer);
  await world.deliver(run.run_id, overrides);
}

/** Lets the run come to its end, and says how often a person was asked. */
async function settle(charging: Charging, recovery: Recovery): Promise<number> {
  for (let asked = 0; ; asked += 1) {
    const status = (await charging.world.job(charging.run.run_id))?.status;
    if (status === "running" || status === "queued") await recover(charging, recovery);
    if ((await charging.world.job(charging.run.run_id))?.status !== "paused") return asked;
    await decide(charging);
  }
}

async function expectOneCharge({ world, run, order }: Charging, moment: string): Promise<void> {
  const record = await world.run(run);
  expect({
    moment,
    charges: payments.charges(order),
    status: record?.status,
    content: record?.output.content,
  }).toEqual({ moment, charges: 1, status: "COMPLETED", content: `receipt 1 for ${order}` });
  expect((await world.job(run.run_id))?.status).toBe("completed");
  await expectOneStory(world, run, moment);
}

/** Whatever died on the way, the record shows one run: a beginning, an end, and indices that rise. */
async function expectOneStory(world: QueueWorld, run: AcceptedRun, moment: string): Promise<void> {
  const events = await world.events(run.run_id);
  const indices = events.map(({ event_index }) => event_index);
  expect({ moment, indices }).toEqual({ moment, indices: [...new Set(indices)].sort((a, b) => a - b) });
  const eventTypes = events.map(({ event }) => event);
  expect({
    moment,
    eventTypes: eventTypes.filter((event) => event === "RunStarted" || event === "RunCompleted"),
  }).toEqual({
    moment,
    eventTypes: ["RunStarted", "RunCompleted"],
  });
}

describe.each(["once", "keyed"] as const)("a charge of effect %s", (effect) => {
  describe.each(["retry", "requeue"] as const)("whose worker is killed, over a %s", (recovery) => {
    const attempts = recovery === "retry" ? 9 : 1;

    test("at any of its writes happens exactly once", async () => {
      const whole = await chargingRun(effect, attempts);
      const calm = breakingDb(stores.db);
      await work(whole, calm);
      await expectOneCharge(whole, "no death");
      expect(calm.writes()).toBeGreaterThanOrEqual(7);
      for (let n = 1; n <= calm.writes(); n += 1) {
        for (const when of ["before", "after"] as const) {
          const charging = await chargingRun(effect, attempts);
          await work(charging, breakingDb(stores.db, n, when));
          const asked = await settle(charging, recovery);
          await expectOneCharge(charging, `${when} write ${n}`);
          if (effect === "keyed") expect(asked).toBe(0);
        }
      }
    });

    test.each(["lost", "refused"] as const)(
      "during the call, with the answer %s, happens exactly once",
      async (fate) => {
        const charging = await chargingRun(effect, attempts);
        const process = breakingDb(stores.db);
        let requests = 0;
        payments.decide((order): Fate => {
          if (order !== charging.order || ++requests > 1) return "answered";
          process.kill();
          return fate;
        });
        expect(await work(charging, process)).toBe(true);
        expect(await settle(charging, recovery)).toBe(effect === "once" ? 1 : 0);
        await expectOneCharge(charging, fate);
      },
    );
  });
});

describe("a charge that may happen once only", () => {
  test("is asked about again when the worker dies in the call that a person has confirmed", async () => {
    const charging = await chargingRun("once", 9);
    let dying = breakingDb(stores.db);
    const fates: Fate[] = ["refused", "lost"];
    payments.decide(() => {
      dying.kill();
      return fates.shift() ?? "answered";
    });
    await work(charging, dying);
    await recover(charging, "retry");
    const { world, run } = charging;
    const [job, record] = [await world.job(run.run_id), await world.run(run)];
    if (!job || !record) throw new Error("the run is gone");
    expect(record.output.tools).toMatchObject([{ in_doubt: 1, confirmed: null }]);
    await continueJob(stores.db, job, record, { confirmed: true });
    dying = breakingDb(stores.db);
    expect(await work(charging, dying)).toBe(true);
    world.clock.advance(GRACE_MS);
    await world.sweep();
    await requeue(world, run);
    await world.deliver(run.run_id, charging.overrides);
    expect((await world.run(run))?.output.tools).toMatchObject([{ in_doubt: 2, confirmed: null }]);
    await decide(charging);
    expect(payments.charges(charging.order)).toBe(1);
    expect((await world.run(run))?.status).toBe("COMPLETED");
  });

  test("is asked about when its run was cancelled in the middle of it and is requeued", async () => {
    const charging = await chargingRun("once", 1);
    const { world, run, order, overrides } = charging;
    const hanging = Promise.withResolvers<void>();
    payments.decide(() => {
      hanging.resolve();
      return "hangs";
    });
    const working = world.deliver(run.run_id, overrides);
    await hanging.promise;
    const record = await world.run(run);
    if (!record) throw new Error("the run is gone");
    await cancelRun(stores.db, record, Math.floor(world.clock.now() / 1000), 86_400);
    world.clock.advance(2_000);
    await working;
    expect((await world.run(run))?.status).toBe("CANCELLED");
    payments.releaseContent();
    await requeue(world, run);
    await world.deliver(run.run_id, overrides);
    expect((await world.run(run))?.output).toMatchObject({ status: "PAUSED", tools: [{ in_doubt: 1 }] });
    await decide(charging);
    expect(payments.charges(order)).toBe(1);
    expect((await world.run(run))?.output).toMatchObject({
      status: "COMPLETED",
      content: `receipt 1 for ${order}`,
    });
  });

  test("is not made again when the worker that seemed dead brings its answer after all", async () => {
    const charging = await chargingRun("once", 9);
    const hanging = Promise.withResolvers<void>();
    payments.decide(() => {
      hanging.resolve();
      return "hangs";
    });
    const slow = work(charging, breakingDb(stores.db));
    await hanging.promise;
    const { world, run } = charging;
    const ahead = aheadOf(world);
    await recover({ ...charging, world: ahead }, "retry");
    const [job, record] = [await world.job(run.run_id), await world.run(run)];
    if (!job || !record) throw new Error("the run is gone");
    expect(record.status).toBe("PAUSED");
    payments.releaseContent();
    await slow;
    await continueJob(stores.db, job, record, { confirmed: true });
    await ahead.deliver(run.run_id, charging.overrides);
    await expectOneCharge(charging, "a late answer");
  });
});

/** The same store at a later time, for everybody but the worker that hangs. */
function aheadOf({ clock }: QueueWorld): QueueWorld {
  const ahead = queueWorld(stores.db, { MAX_ATTEMPTS: 9 });
  ahead.clock.advance(clock.now() - ahead.clock.now() + GRACE_MS);
  return ahead;
}
