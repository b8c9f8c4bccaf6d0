import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Db } from "../../../shared/stores/db.ts";
import { scheduleRunWork } from "../../../shared/stores/schedules/runs/run-item.ts";
import { type Outside, type ScheduleRunWorld, scheduleRunWorld } from "../../support/schedule-run-world.ts";
import { startStores, type TestStores } from "../../support/stores.ts";

const CALL_LEASE_SECONDS = scheduleRunWork.leaseEnd(0).until;

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

type When = "before" | "after";

/**
 * What a process does to the outside, when it dies at its n-th act: before it is done, or after. Between two acts a
 * process changes nothing, so this is a crash after every line.
 */
function dying(
  { deps }: ScheduleRunWorld,
  atAct: number,
  when: When,
): Outside & { readonly acts: () => number } {
  let acts = 0;
  const act = async <T>(does: () => Promise<T>): Promise<T> => {
    acts += 1;
    if (acts > atAct || (acts === atAct && when === "before")) throw new Error("this process is dead");
    const answer = await does();
    if (acts >= atAct) throw new Error("this process is dead");
    return answer;
  };
  const client = new Proxy(deps.db.client, {
    get: (target, name) =>
      name === "send" ? (command: never) => act(() => target.send(command)) : Reflect.get(target, name),
  });
  return {
    db: { ...deps.db, client } satisfies Db,
    call: (asked) => act(() => deps.call(asked)),
    queue: { wake: (ref, delay) => act(() => deps.queue.wake(ref, delay)) },
    acts: () => acts,
  };
}

const DELIVERIES = 20;
const SLOT = 300;

/** Everybody who looked after it is dead: the messages come back, and the sweeper looks. */
async function recover(
  world: ScheduleRunWorld,
  schedule: Awaited<ReturnType<ScheduleRunWorld["schedule"]>>,
  at: number,
) {
  await world.fire(schedule, at);
  world.clock.advance((CALL_LEASE_SECONDS + 6) * 1000);
  await world.sweepSchedules();
  await world.fire(schedule, at);
  while ((await world.deliverAll()) + (await world.attendAll()) > 0);
}

describe.each(["before", "after"] as const)(
  "a slot delivered twenty times at once, by processes that die %s",
  (when) => {
    test.each(["skip", "queue", "allow"] as const)(
      "each of their acts, is exactly one run (%s)",
      async (overlap) => {
        const world = scheduleRunWorld(stores.db);
        const lives = dying(world, Number.POSITIVE_INFINITY, when);
        await world.fire(await world.schedule({ overlap }), world.now(), lives);
        const all = lives.acts();
        expect(all).toBeGreaterThan(3);
        for (let first = 1; first <= all + 1; first += 1) {
          const schedule = await world.schedule({ overlap });
          const at = world.now();
          const deliveries = Array.from({ length: DELIVERIES }, (_, i) => {
            const outside = dying(world, ((first + i) % (all + 1)) + 1, when);
            return world.fire(schedule, at, outside);
          });
          await Promise.allSettled(deliveries);
          await recover(world, schedule, at);
          expect(await world.jobsOf(schedule)).toHaveLength(1);
          expect(await world.runs(schedule)).toMatchObject([{ status: "success", attempt: 1 }]);
          world.clock.advance(SLOT * 1000);
        }
      },
    );

    test("at the same act, is exactly one run", async () => {
      const world = scheduleRunWorld(stores.db);
      for (let act = 1; act <= 8; act += 1) {
        const schedule = await world.schedule();
        const at = world.now();
        const deliveries = Array.from({ length: DELIVERIES }, () =>
          world.fire(schedule, at, dying(world, act, when)),
        );
        await Promise.allSettled(deliveries);
        await recover(world, schedule, at);
        expect(await world.jobsOf(schedule)).toHaveLength(1);
        expect(await world.runs(schedule)).toMatchObject([{ status: "success", attempt: 1 }]);
      }
    });
  },
);

test("twenty deliveries that live make one call, and one run", async () => {
  const world = scheduleRunWorld(stores.db);
  const schedule = await world.schedule();
  const at = world.now();
  await Promise.all(Array.from({ length: DELIVERIES }, () => world.fire(schedule, at)));
  expect(world.calls()).toBe(1);
  expect(await world.jobsOf(schedule)).toHaveLength(1);
  expect(await world.runs(schedule)).toHaveLength(1);
});

test("two slots that come at the same moment do not both see that nothing runs", async () => {
  const world = scheduleRunWorld(stores.db);
  const schedule = await world.schedule();
  const at = world.now();
  await Promise.all(Array.from({ length: 10 }, (_, i) => world.fire(schedule, at - i)));
  const runs = await world.runs(schedule);
  expect(runs.filter(({ status }) => status === "running")).toHaveLength(1);
  expect(runs.filter(({ status }) => status === "skipped")).toHaveLength(9);
  expect(await world.jobsOf(schedule)).toHaveLength(1);
});

test("ten slots that come at the same moment to a queue all run, one after the other", async () => {
  const world = scheduleRunWorld(stores.db);
  const schedule = await world.schedule({ overlap: "queue" });
  const at = world.now();
  await Promise.all(Array.from({ length: 10 }, (_, i) => world.fire(schedule, at - i)));
  for (let turn = 0; turn < 10; turn += 1) {
    const running = (await world.runs(schedule)).filter(({ status }) => status === "running");
    expect(running).toHaveLength(1);
    world.clock.advance(10_000);
    await world.attendAll();
    await world.deliverAll();
    await world.attendAll();
  }
  while ((await world.deliverAll()) + (await world.attendAll()) > 0);
  expect((await world.runs(schedule)).map(({ status }) => status)).toEqual(Array(10).fill("success"));
});

describe.each(["before", "after"] as const)("an executor that dies %s an act", (when) => {
  test("while a slot ends leaves no turn that is not passed on", async () => {
    for (let act = 1; act <= 8; act += 1) {
      const world = scheduleRunWorld(stores.db);
      const schedule = await world.schedule({ overlap: "queue" });
      const at = world.now();
      await world.fire(schedule, at);
      await world.fire(schedule, at + 1);
      await world.deliverAll();
      const [wakeup] = world.schedules.sent.splice(0);
      if (!wakeup) throw new Error("no wake-up was sent");
      await world.processDueRun(wakeup.ref, dying(world, act, when)).catch(() => {});
      world.clock.advance((CALL_LEASE_SECONDS + 6) * 1000);
      await world.sweepSchedules();
      while ((await world.deliverAll()) + (await world.attendAll()) > 0);
      world.clock.advance((CALL_LEASE_SECONDS + 6) * 1000);
      await world.sweepSchedules();
      while ((await world.deliverAll()) + (await world.attendAll()) > 0);
      expect((await world.runs(schedule)).map(({ status }) => status)).toEqual(["success", "success"]);
      expect(await world.jobsOf(schedule)).toHaveLength(2);
    }
  });
});

test("an executor that takes over the call of one that died counts it, and one that finds its own schedule at rest does not", async () => {
  const world = scheduleRunWorld(stores.db);
  const crashes: unknown[] = [];
  const counting = {
    ...world.deps,
    meter: { record: (...figures: unknown[]) => void crashes.push(figures) },
  };
  const schedule = await world.schedule();
  const at = world.now();
  await world.fire(schedule, at, dying(world, 2, "after")).catch(() => undefined);
  await world.fire(schedule, at, counting);
  expect(crashes).toEqual([]);
  world.clock.advance((CALL_LEASE_SECONDS + 6) * 1000);
  await world.fire(schedule, at, counting);
  expect(crashes).toEqual([[{ Crashes: 1 }, undefined, { kind: "schedule run" }]]);
  await world.fire(schedule, at, counting);
  expect(crashes).toHaveLength(1);
});
