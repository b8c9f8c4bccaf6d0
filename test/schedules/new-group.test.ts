import { afterEach, beforeEach, expect, test } from "vitest";
import { isOutage } from "../../shared/http/is-outage.ts";
import { connectScheduler } from "../../shared/scheduler/connect-scheduler.ts";
import { entryNames } from "../../shared/scheduler/plan-entries.ts";
import { scheduleWorld } from "../support/schedule-world.ts";
import { type SchedulerServer, schedulerEnv, startSchedulerServer } from "../support/scheduler-server.ts";
import { startStores, type TestStores } from "../support/stores.ts";

const SECOND_MS = 1_000;
const DAY_SECONDS = 86_400;

let stores: TestStores;
let server: SchedulerServer;
beforeEach(async () => {
  stores = await startStores();
  server = await startSchedulerServer();
});
afterEach(async () => {
  await server.stop();
  await stores.stop();
});

/** As the service is deployed again: the tables are there, and a group without entries. @returns its functions */
async function anotherGroup(): Promise<ReturnType<typeof scheduleWorld>> {
  await server.stop();
  // Made in a later second than the schedules.
  await new Promise((resolve) => setTimeout(resolve, SECOND_MS));
  server = await startSchedulerServer();
  return scheduleWorld(stores.db);
}

const entriesOf = (id: string) => server.names().filter((name) => name.startsWith(id));

test("gets the entries of every enabled schedule at once, however young, and no alarm is raised", async () => {
  const { create, disable, stored } = scheduleWorld(stores.db);
  const [kept, stopped] = [await create({ cron_expr: "0 9 13 * 5" }), await create()];
  await disable(stopped.id);
  const { logged, reconcileNow } = await anotherGroup();
  expect(await reconcileNow()).toMatchObject({ restored: 1, repaired: 0, unsettled: 0 });
  const schedule = await stored(kept.id);
  expect(entriesOf(kept.id)).toEqual(schedule && entryNames(schedule));
  expect(entriesOf(stopped.id)).toEqual([]);
  expect(logged).toEqual([]);
});

test("is compared once, and then once a day", async () => {
  const { create, reconcileNow } = scheduleWorld(stores.db);
  await create();
  expect(await reconcileNow()).toMatchObject({ enabled: 1 });
  expect(await reconcileNow()).toBeUndefined();
  expect(await reconcileNow(DAY_SECONDS - 60)).toBeUndefined();
  expect(await reconcileNow(60)).toMatchObject({ enabled: 1 });
  expect(await reconcileNow()).toBeUndefined();
  const later = await anotherGroup();
  expect(await later.reconcileNow()).toMatchObject({ enabled: 1 });
});

test("is compared again with the next call where the comparison failed", async () => {
  const { id } = await scheduleWorld(stores.db).create();
  const { reconcileNow } = await anotherGroup();
  server.failWith({ operation: "CreateSchedule", how: "throttled" });
  const failed = await reconcileNow().catch((error: unknown) => error);
  expect(isOutage(failed)).toBe(true);
  expect(entriesOf(id)).toEqual([]);
  server.failWith(undefined);
  expect(await reconcileNow()).toMatchObject({ restored: 1 });
  expect(entriesOf(id)).toHaveLength(1);
});

test("is compared again with the next call where a schedule was too young to judge, and its loss is an alarm", async () => {
  const { create, reconcileNow, logged } = scheduleWorld(stores.db);
  const { id } = await create();
  await connectScheduler(schedulerEnv).remove(entriesOf(id));
  expect(await reconcileNow()).toMatchObject({ restored: 0, repaired: 0, unsettled: 1 });
  expect(await reconcileNow(901)).toMatchObject({ restored: 0, repaired: 1, unsettled: 0 });
  expect(entriesOf(id)).toHaveLength(1);
  expect(logged).toEqual(["a schedule would not have fired"]);
  expect(await reconcileNow()).toBeUndefined();
});

test("after a restore of the tables nothing waits to settle: what lacks entries gets them, and what has no schedule loses them", async () => {
  const { create, remove, stored, reconcile } = scheduleWorld(stores.db);
  const [lost, removed] = [await create(), await create()];
  const plan = await stored(removed.id);
  if (!plan) throw new Error("a schedule that was just made is there");
  await remove(removed.id);
  await connectScheduler(schedulerEnv).remove(entriesOf(lost.id));
  // The entry of a schedule that was made after the instant, whose record the restore has taken away.
  await connectScheduler(schedulerEnv).add(plan);
  expect(await reconcile(1)).toMatchObject({ repaired: 0, unsettled: 1, dropped: 0 });
  expect(entriesOf(removed.id)).toHaveLength(1);
  expect(await reconcile(1, 0)).toMatchObject({ repaired: 1, unsettled: 0, dropped: 1 });
  expect(entriesOf(lost.id)).toHaveLength(1);
  expect(entriesOf(removed.id)).toEqual([]);
});
