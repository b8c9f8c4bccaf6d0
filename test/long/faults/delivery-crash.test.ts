import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { subjectPartition } from "../../../shared/stores/outbox/outbox-keys.ts";
import type { DeliveryOrder } from "../../support/delivery-process.ts";
import { type DeliveryWorld, deliveryWorld } from "../../support/delivery-world.ts";
import { type Receiver, startReceiver } from "../../support/receiver.ts";
import { startStores, type TestStores } from "../../support/stores.ts";

let stores: TestStores;
let receiver: Receiver;

beforeAll(async () => {
  [stores, receiver] = await Promise.all([startStores(), startReceiver()]);
});
afterAll(() => Promise.all([stores?.stop(), receiver?.stop()]));

function startWorker(world: DeliveryWorld, runId: string, waits: boolean): ChildProcess {
  const order: DeliveryOrder = {
    endpoint: stores.endpoint,
    tables: stores.db.tables,
    subject: subjectPartition({ kind: "run", id: runId }),
    roots: world.roots,
    allowedHosts: [receiver.host],
    waits,
  };
  const file = join(import.meta.dirname, "../../support/delivery-process.ts");
  return spawn(process.execPath, [file, JSON.stringify(order)], { stdio: ["ignore", "pipe", "inherit"] });
}

async function killed(child: ChildProcess): Promise<void> {
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

async function ended(): Promise<{ readonly world: DeliveryWorld; readonly run_id: string }> {
  const world = deliveryWorld(stores.db, { allowedHosts: [receiver.host] });
  const { run_id } = await world.submit("hello", { callback_url: receiver.url });
  await world.deliver(run_id);
  return { world, run_id };
}

/** What the next worker does once the lease of the dead one is over. */
async function goOn({ world, run_id }: Awaited<ReturnType<typeof ended>>) {
  world.wakeups.length = 0;
  await world.resend();
  await world.work();
  const before = receiver.about(run_id).length;
  world.clock.advance(60_000);
  await world.resend();
  await world.work();
  return before;
}

test("a worker that is killed before it sends leaves the message to the next", async () => {
  const run = await ended();
  const child = startWorker(run.world, run.run_id, true);
  await once(child.stdout ?? child, "data");
  await killed(child);
  expect(await goOn(run)).toBe(0);
  expect(receiver.about(run.run_id)).toHaveLength(1);
});

test("one that is killed after it has sent has its message sent once more, with the same id", async () => {
  const run = await ended();
  const child: { running?: ChildProcess } = {};
  const dead = new Promise<void>((resolve) => {
    receiver.decide(() => void killed(child.running as ChildProcess).then(resolve)); // started below
  });
  child.running = startWorker(run.world, run.run_id, false);
  await dead;
  receiver.decide();
  expect(await goOn(run)).toBe(1);
  const messages = receiver.about(run.run_id);
  expect(messages).toHaveLength(2);
  expect(new Set(messages.map(({ id }) => id)).size).toBe(1);
  expect((await run.world.subjectOf(run.run_id)).deliveries).toMatchObject([
    { status: "delivered", tries: 2 },
  ]);
});
