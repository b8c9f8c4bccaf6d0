import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { isOwnSlot } from "../../../functions/schedule-executor/fire-slot.ts";
import { isOutage } from "../../../shared/http/is-outage.ts";
import { connectScheduler } from "../../../shared/scheduler/connect-scheduler.ts";
import { entryNames } from "../../../shared/scheduler/plan-entries.ts";
import type { StoredSchedule } from "../../../shared/stores/schedules/schedule-item.ts";
import { breakingDb } from "../../support/breaking-db.ts";
import { scheduleWorld } from "../../support/schedule-world.ts";
import { type SchedulerServer, schedulerEnv, startSchedulerServer } from "../../support/scheduler-server.ts";
import { seededRandom } from "../../support/simulated/random.ts";
import { startStores, type TestStores } from "../../support/stores.ts";

let stores: TestStores;
let server: SchedulerServer;
beforeAll(async () => {
  stores = await startStores();
  server = await startSchedulerServer();
});
afterEach(async () => {
  server.failWith(undefined);
  await scheduleWorld(stores.db).reconcile();
});
afterAll(async () => {
  await server?.stop();
  await stores?.stop();
});

const world = (more?: Parameters<typeof scheduleWorld>[1]) => scheduleWorld(stores.db, more);
const entriesOf = (id: string) => server.names().filter((name) => name.startsWith(id));
const wantedBy = (schedule: StoredSchedule | undefined) => (schedule?.enabled ? entryNames(schedule) : []);
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("the scheduler", () => {
  test("has an entry for each schedule, two where two day rules are given, and none for a disabled one", async () => {
    const { create, update, disable, enable, remove, stored } = world();
    const { id } = await create();
    expect(entriesOf(id)).toEqual(wantedBy(await stored(id)));
    expect(entriesOf(id)).toHaveLength(1);
    await update(id, { cron_expr: "0 9 13 * 5" });
    expect(entriesOf(id)).toEqual(wantedBy(await stored(id)));
    expect(entriesOf(id)).toHaveLength(2);
    await disable(id);
    expect(entriesOf(id)).toEqual([]);
    await enable(id);
    expect(entriesOf(id)).toEqual(wantedBy(await stored(id)));
    await remove(id);
    expect(entriesOf(id)).toEqual([]);
  });

  test("is not asked when no time changes", async () => {
    const { create, update } = world();
    const { id } = await create();
    const before = server.asked.length;
    await update(id, { description: "new", name: "another name", endpoint: "/agents/concierge/runs" });
    expect(server.asked.length).toBe(before);
  });

  test("gets the schedule's id, its plan and the slot into the message, in the schedule's zone", async () => {
    const { create, stored } = world();
    const { id } = await create({ cron_expr: "30 9 * * *", timezone: "asia/tokyo" });
    const plan = await stored(id);
    await server.scheduler.moveTo(((plan?.next_run_at ?? 0) + 1) * 1000);
    const [message] = server.delivered.filter(({ name }) => name.startsWith(id));
    expect(JSON.parse(message?.input ?? "")).toEqual({
      schedule_id: id,
      plan_id: plan?.plan_id,
      scheduled_time: new Date((plan?.next_run_at ?? 0) * 1000).toISOString().replace(".000Z", "Z"),
    });
    expect(message?.input).toContain("T00:30:00Z");
    await server.scheduler.moveTo(Date.now());
  });
});

describe.each(["throttled", "down", "late"] as const)("while the scheduler is %s", (how) => {
  const broken = () => server.failWith({ operation: "CreateSchedule", how });

  test("nothing is created, and what it may have done is taken away later", async () => {
    const { create, reconcile } = world();
    broken();
    expect(isOutage(await outcome(create({ name: `not now ${how}` })))).toBe(true);
    server.failWith(undefined);
    expect((await create({ name: `not now ${how}` })).enabled).toBe(true);
    await reconcile();
    expect(server.names()).toHaveLength((await reconcile(0)).enabled);
  });

  test("a change of times is refused and the schedule fires as before", async () => {
    const { create, update, stored, reconcile } = world();
    const { id } = await create();
    const before = await stored(id);
    broken();
    expect(isOutage(await outcome(update(id, { cron_expr: "5 5 * * *" })))).toBe(true);
    expect(await stored(id)).toEqual(before);
    expect(entriesOf(id)).toEqual(expect.arrayContaining(wantedBy(before)));
    server.failWith(undefined);
    await reconcile();
    expect(entriesOf(id)).toEqual(wantedBy(before));
  });

  test("nothing is enabled", async () => {
    const { create, enable, disable, stored } = world();
    const { id } = await create();
    await disable(id);
    const before = await stored(id);
    broken();
    expect(isOutage(await outcome(enable(id)))).toBe(true);
    expect(await stored(id)).toEqual(before);
  });

  test("a schedule can be stopped and removed, and its entries go later", async () => {
    const { create, disable, remove, stored, reconcile, logged } = world();
    const [stopped, removed] = [await create(), await create()];
    server.failWith({ operation: "DeleteSchedule", how });
    await disable(stopped.id);
    await remove(removed.id);
    expect((await stored(stopped.id))?.enabled).toBe(false);
    expect(await stored(removed.id)).toBeUndefined();
    expect(logged).toHaveLength(2);
    server.failWith(undefined);
    await reconcile();
    expect([...entriesOf(stopped.id), ...entriesOf(removed.id)]).toEqual([]);
  });
});

test("times that the scheduler does not take are refused", async () => {
  const env = { ...schedulerEnv, SCHEDULE_ROLE_ARN: "arn:aws:iam::000000000000:role/unknown" };
  const { create } = world({ scheduler: connectScheduler(env) });
  expect(await outcome(create())).toMatchObject({ code: "UNPROCESSABLE" });
});

describe("a process that dies at a write", () => {
  type World = ReturnType<typeof scheduleWorld>;
  const works: readonly [what: string, work: (world: World, id: string) => Promise<unknown>][] = [
    ["creating", ({ create }) => create()],
    ["changing times", ({ update }, id) => update(id, { cron_expr: "5 5 * * 1" })],
    ["disabling", ({ disable }, id) => disable(id)],
    ["enabling", async ({ enable }, id) => enable(id)],
    ["removing", ({ remove }, id) => remove(id)],
  ];

  test.each(
    works.flatMap(([what, work]) =>
      (["before", "after"] as const).map((when) => [what, when, work] as const),
    ),
  )("%s, %s it is done, leaves every enabled schedule with its entries", async (what, when, work) => {
    const { create, disable, stored, reconcile } = world();
    const { id } = await create();
    if (what === "enabling") await disable(id);
    const dying = world({ db: breakingDb(stores.db, 1, when).db });
    expect(await outcome(work(dying, id))).toBeInstanceOf(Error);
    const schedule = await stored(id);
    expect(entriesOf(id)).toEqual(expect.arrayContaining(wantedBy(schedule)));
    await reconcile();
    expect(entriesOf(id)).toEqual(wantedBy(schedule));
    expect(server.names()).toHaveLength((await reconcile(0)).enabled);
  });
});

describe("the daily comparison", () => {
  test("changes nothing where nothing differs", async () => {
    const { create, reconcile } = world();
    await create();
    expect(await reconcile()).toMatchObject({ repaired: 0, dropped: 0 });
  });

  test("makes entries again that were deleted, and says so", async () => {
    const { create, deps, stored, reconcile, logged } = world();
    const { id } = await create();
    await deps.scheduler.remove(wantedBy(await stored(id)));
    expect(await reconcile()).toMatchObject({ repaired: 1 });
    expect(logged).toContain("a schedule would not have fired");
    expect(entriesOf(id)).toEqual(wantedBy(await stored(id)));
  });

  test("leaves alone what was made just now", async () => {
    const { deps, reconcile } = world();
    const plan = {
      id: "00000000-0000-4000-8000-000000000000",
      plan_id: "fresh",
      cron_expr: "@daily",
      timezone: "UTC",
    };
    await deps.scheduler.add(plan);
    expect(await reconcile(0)).toMatchObject({ dropped: 0 });
    expect(entriesOf(plan.id)).toHaveLength(1);
    expect(await reconcile()).toMatchObject({ dropped: 1 });
    expect(entriesOf(plan.id)).toEqual([]);
  });

  test("fails while the scheduler does not answer, and has lost nothing", async () => {
    const { create, stored, reconcile } = world();
    const { id } = await create();
    server.failWith({ operation: "ListSchedules", how: "down" });
    expect(isOutage(await outcome(reconcile()))).toBe(true);
    expect(entriesOf(id)).toEqual(wantedBy(await stored(id)));
  });
});

test("any mixture of changes and faults ends with the scheduler in step", async () => {
  const seed = Number(process.env.SEED ?? Date.now() % 100_000);
  const { pick, between } = seededRandom(seed);
  const { create, update, enable, disable, remove, stored, reconcile } = world();
  const ids = [(await create()).id, (await create()).id, (await create()).id] as const;
  const faults = [undefined, undefined, undefined, "throttled", "late"] as const;
  for (let round = 0; round < 15; round += 1) {
    const how = pick(faults);
    server.failWith(how && { operation: pick(["CreateSchedule", "DeleteSchedule"]), how });
    const works = Array.from({ length: 4 }, () => {
      const id = pick(ids);
      const cron_expr = `${between(0, 59)} 5 ${pick(["*", "13"])} * ${pick(["*", "5"])}`;
      return pick([() => update(id, { cron_expr }), () => enable(id), () => disable(id), () => create()])();
    });
    await Promise.allSettled(works);
    for (const id of ids) {
      expect(entriesOf(id), `seed ${seed}`).toEqual(expect.arrayContaining(wantedBy(await stored(id))));
    }
  }
  server.failWith(undefined);
  await remove(ids[0]);
  expect(await reconcile()).toMatchObject({ repaired: 0 });
  for (const id of ids) expect(entriesOf(id), `seed ${seed}`).toEqual(wantedBy(await stored(id)));
});

describe("a message", () => {
  const planned = { cron_expr: "0 9 * * *", timezone: "UTC", enabled: true, plan_id: "new" };
  const message = (scheduled_time: string, plan_id?: string) => ({
    schedule_id: "s",
    scheduled_time,
    ...(plan_id !== undefined && { plan_id }),
  });

  test.each([
    ["of the present plan", true, planned, message("2026-03-01T08:00:00Z", "new")],
    ["of an unknown plan", true, planned, message("2026-03-01T08:00:00Z")],
    ["of an older plan", false, planned, message("2026-03-01T08:00:00Z", "old")],
    ["of an older plan, on a slot of both", true, planned, message("2026-03-01T09:00:00Z", "old")],
    [
      "of an older plan, disabled",
      false,
      { ...planned, enabled: false },
      message("2026-03-01T09:00:00Z", "old"),
    ],
  ])("%s is a slot of the schedule: %s", (_, isOwn, schedule, sent) => {
    expect(isOwnSlot(schedule, sent)).toBe(isOwn);
  });
});
