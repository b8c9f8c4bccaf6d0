import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { failDeadLetter } from "../../functions/housekeeper/fail-dead-letter.ts";
import { cancelRun } from "../../shared/engine/lifecycle/cancel-run.ts";
import { Reply } from "../../shared/http/handler.ts";
import { createComponentRun } from "../../shared/runs/index.ts";
import type { AcceptedRun, RunOutput } from "../../shared/schemas/runs/run.ts";
import type { StoredRun } from "../../shared/stores/runs/run-item.ts";
import { startRun } from "../../shared/stores/transactions/start-run.ts";
import { breakingDb } from "../support/breaking-db.ts";
import { type DeliveryWorld, deliveryWorld } from "../support/delivery-world.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
let receiver: Receiver;

beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores?.stop());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

type Run = Pick<RunOutput, "run_id" | "session_id">;

/** Every way in which a background run ends or pauses, with the event that is published. */
const endings: Readonly<Record<string, readonly [string, (world: DeliveryWorld) => Promise<Run>]>> = {
  "its worker completes it": ["run.completed", async (world) => executed(world, "hello")],
  "its worker fails it": ["run.failed", async (world) => executed(world, "[[fail:out of luck]]")],
  "it pauses": ["run.paused", (world) => paused(world)],
  "it is cancelled while it waits in the queue": [
    "run.cancelled",
    async (world) => {
      const run = await submitted(world, "hello");
      await cancelRun(world.db, await recordOf(world, run), world.now(), 3600);
      return run;
    },
  ],
  "it is cancelled while it is paused": [
    "run.cancelled",
    async (world) => {
      const run = await paused(world);
      await cancelRun(world.db, await recordOf(world, run), world.now(), 3600);
      return run;
    },
  ],
  "its pause is not answered": [
    "run.cancelled",
    async (world) => {
      const run = await paused(world);
      world.clock.advance(2_592_001_000);
      await world.sweep();
      return run;
    },
  ],
  "its worker goes silent, and no attempt is left": [
    "run.failed",
    async (world) => {
      const run = await silent(world);
      await world.checkLocks();
      return run;
    },
  ],
  "its worker goes silent after it was cancelled": [
    "run.cancelled",
    async (world) => {
      const run = await silent(world);
      await cancelRun(world.db, await recordOf(world, run), world.now(), 3600);
      await world.checkLocks();
      return run;
    },
  ],
  "no worker can receive its message": [
    "run.failed",
    async (world) => {
      const run = await submitted(world, "hello");
      await failDeadLetter(world, run.run_id);
      return run;
    },
  ],
  "it is cancelled before its worker begins": [
    "run.cancelled",
    async (world) => {
      const run = await submitted(world, "hello");
      const record = await recordOf(world, run);
      await cancelRun(world.db, record, world.now(), 3600);
      await world.deliver(run.run_id);
      return run;
    },
  ],
};

test.each(Object.entries(endings))("when %s, its receiver is notified", async (_way, [type, end]) => {
  const world = deliveryWorld(stores.db, { allowedHosts: [receiver.host] });
  const run = await end(world);
  await world.resend();
  await world.work();
  const messages = receiver.about(run.run_id);
  expect(messages.at(-1)?.body).toMatchObject({
    type,
    data: { status: (await recordOf(world, run)).status },
  });
  expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
});

test("a run that is tried again is published at its end alone", async () => {
  const world = deliveryWorld(stores.db, { allowedHosts: [receiver.host], settings: { MAX_ATTEMPTS: 2 } });
  const run = await executed(world, "[[fail:out of luck]]");
  expect(await world.job(run.run_id)).toMatchObject({ status: "queued" });
  await world.work();
  expect(receiver.about(run.run_id)).toHaveLength(0);
  world.clock.advance(300_000);
  await world.deliver(run.run_id);
  await world.work();
  expect(receiver.about(run.run_id).map(({ body }) => body.data.attempt)).toEqual([2]);
});

test("a waiting run without a callback is sent to endpoints alone, and nowhere without them", async () => {
  const world = deliveryWorld(stores.db, { allowedHosts: [receiver.host] });
  const quiet = await foreground(world);
  expect((await world.subjectOf(quiet.run_id)).events).toHaveLength(0);
  await world.endpoint({ url: receiver.url, user_id: "maria" });
  const within = await foreground(world);
  expect((await world.subjectOf(within.run_id)).events).toHaveLength(0);
  world.clock.advance(61_000);
  const delivered = await foreground(world);
  await world.work();
  expect(receiver.about(delivered.run_id).map(({ body }) => body.type)).toEqual(["run.completed"]);
  expect((await world.subjectOf(delivered.run_id)).isWatched).toBe(false);
});

test("a foreground run whose process is lost is published as failed once its lease is over", async () => {
  const world = deliveryWorld(stores.db, { allowedHosts: [receiver.host] });
  await world.endpoint({ url: receiver.url, user_id: "maria" });
  world.clock.advance(61_000);
  const record = await recordOf(world, await submitted(world, "hello"));
  const lost: StoredRun = {
    ...record,
    run_id: crypto.randomUUID(),
    queued: false,
    status: "RUNNING",
    attempt: 1,
    lease_until: world.now() + 60,
  };
  await startRun(world.db, { ...lost, output: { ...lost.output, run_id: lost.run_id } }, noEntry);
  world.clock.advance(80_000);
  await world.resend();
  await world.work();
  expect(receiver.about(lost.run_id)).toHaveLength(0);
  world.clock.advance(30_000);
  await world.resend();
  await world.work();
  // Endpoints of other tests receive it too.
  const messages = receiver.about(lost.run_id);
  expect(new Set(messages.map(({ id }) => id)).size).toBe(1);
  expect(messages[0]?.body).toMatchObject({ type: "run.failed", data: { status: "ERROR" } });
  expect((await world.subjectOf(lost.run_id)).isWatched).toBe(false);
});

const noEntry = { newSession: undefined, turnIn: undefined };

async function submitted(world: DeliveryWorld, message: string, id = "assistant"): Promise<Run> {
  const request = world.request(message, { callback_url: receiver.url });
  const answer = await createComponentRun({ ...request, component: { kind: "agent", id } }, world);
  if (!(answer instanceof Reply)) throw new Error("the run was not accepted");
  return answer.body as AcceptedRun;
}

async function executed(world: DeliveryWorld, message: string): Promise<Run> {
  const run = await submitted(world, message);
  await world.deliver(run.run_id);
  return run;
}

async function paused(world: DeliveryWorld): Promise<Run> {
  const run = await submitted(world, '[[tool:close_account {"account":"K-7"}]]', "account-desk");
  await world.deliver(run.run_id);
  return run;
}

/** A run whose worker has claimed it and then goes silent. */
async function silent(world: DeliveryWorld): Promise<Run> {
  const run = await submitted(world, "hello");
  const dying = breakingDb(world.db, 2, "after");
  await world.deliver(run.run_id, { db: dying.db }).catch(() => undefined);
  world.clock.advance(120_000);
  return run;
}

async function foreground(world: DeliveryWorld): Promise<Run> {
  return (await createComponentRun(world.request("hello", { background: false }), world)) as RunOutput;
}

async function recordOf(world: DeliveryWorld, run: Run): Promise<StoredRun> {
  const record = await world.run(run);
  if (!record) throw new Error("the run is gone");
  return record;
}
