import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cancelRun } from "../../shared/engine/lifecycle/cancel-run.ts";
import { createComponentRun } from "../../shared/runs/index.ts";
import { type StoredScheduleRun, scheduleRunWork } from "../../shared/stores/schedules/runs/run-item.ts";
import { type ScheduleRunWorld, scheduleRunWorld } from "../support/schedule-run-world.ts";
import { startStores, type TestStores } from "../support/stores.ts";

const CALL_LEASE_SECONDS = scheduleRunWork.leaseEnd(0).until;

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const FIVE_MINUTES = 300;
const minutes = (world: ScheduleRunWorld, count: number) => world.clock.advance(count * 60_000);
const statuses = (runs: readonly StoredScheduleRun[]) => runs.map(({ status }) => status);

/** Lets the worker execute what waits, and the executor learn of it. */
async function work(world: ScheduleRunWorld): Promise<void> {
  while ((await world.deliverAll()) + (await world.attendAll()) > 0);
}

describe("a slot", () => {
  test("is one run, and its record follows the run to its end", async () => {
    const world = scheduleRunWorld(stores.db);
    const schedule = await world.schedule();
    await world.fire(schedule);
    const [running] = await world.runs(schedule);
    expect(running).toMatchObject({
      status: "running",
      attempt: 1,
      completed_at: null,
      run_id: expect.any(String),
    });
    minutes(world, 20);
    await work(world);
    const [ended] = await world.runs(schedule);
    expect(ended).toMatchObject({
      id: running?.id,
      status: "success",
      completed_at: world.now(),
      output: { content: "You said: Summarise today" },
    });
    expect(await world.jobsOf(schedule)).toEqual([ended?.run_id]);
  });

  test("of a schedule that is gone leaves nothing", async () => {
    const world = scheduleRunWorld(stores.db);
    const schedule = { ...(await world.schedule()), id: "gone" };
    await world.fire(schedule);
    expect(await world.runs(schedule)).toEqual([]);
    expect(world.calls()).toBe(0);
  });

  test("of a disabled schedule is a skipped row that says so", async () => {
    const world = scheduleRunWorld(stores.db);
    const schedule = await world.schedule({ enabled: false });
    await world.fire(schedule);
    expect(await world.runs(schedule)).toMatchObject(
      [{ status: "skipped", error: /disabled/ }].map(matching),
    );
    expect(world.calls()).toBe(0);
  });

  test("of a managed schedule that drifted is a failed row, and the schedule is disabled", async () => {
    const world = scheduleRunWorld(stores.db);
    const managed = { managed_by: "studio", target_type: "agent", target_id: "reporter" } as const;
    const schedule = await world.schedule(managed);
    await world.fire(schedule);
    expect(await world.runs(schedule)).toMatchObject([{ status: "failed", attempt: 1, status_code: null }]);
    const disabled_reason = "endpoint_drift:/agents/assistant/runs!=agent:reporter";
    expect(await world.stored(schedule)).toMatchObject({ enabled: false, disabled_reason });
    expect(world.removed).toEqual([`${schedule.id}.first.0`]);
    expect(world.calls()).toBe(0);
  });
});

describe("down-time", () => {
  test("is made up for by exactly one run: the latest slot's; the others are missed", async () => {
    const world = scheduleRunWorld(stores.db);
    const schedule = await world.schedule();
    const first = Math.ceil(world.now() / FIVE_MINUTES) * FIVE_MINUTES;
    world.clock.advance((first - world.now()) * 1000 + 21 * 60_000);
    for (let slot = 0; slot < 5; slot += 1) await world.fire(schedule, first + slot * FIVE_MINUTES);
    expect(statuses(await world.runs(schedule))).toEqual(["running", "missed", "missed", "missed", "missed"]);
    expect(await world.jobsOf(schedule)).toHaveLength(1);
  });

  test("does not keep a daily slot from being run hours late", async () => {
    const world = scheduleRunWorld(stores.db);
    const schedule = await world.schedule({ cron_expr: "0 0 1 * *" });
    const at = world.now();
    minutes(world, 300);
    await world.fire(schedule, at);
    expect(statuses(await world.runs(schedule))).toEqual(["running"]);
  });
});

describe("slots without a message", () => {
  test("are missed rows after the daily comparison, once each", async () => {
    const world = scheduleRunWorld(stores.db);
    const schedule = await world.schedule({ cron_expr: "0 * * * *" });
    world.clock.advance(10 * 3_600_000);
    const lastHour = Math.floor(world.now() / 3600) * 3600;
    await world.fire(schedule, lastHour - 4 * 3600);
    const missed = await world.noteMissed(schedule);
    expect(missed).toBeGreaterThanOrEqual(6);
    const runs = await world.runs(schedule);
    expect(runs.filter(({ status }) => status === "missed")).toHaveLength(missed + 1);
    expect(new Set(runs.map(({ created_at }) => created_at)).size).toBe(missed + 1);
    expect(await world.noteMissed(schedule)).toBe(0);
  });

  test("are not those of a schedule that is disabled", async () => {
    const world = scheduleRunWorld(stores.db);
    const schedule = await world.schedule({ enabled: false });
    world.clock.advance(10 * 3_600_000);
    expect(await world.noteMissed(schedule)).toBe(0);
  });
});

test("a run that no schedule started writes nothing about schedules", async () => {
  const world = scheduleRunWorld(stores.db);
  const seen: string[] = [];
  const client = new Proxy(stores.db.client, {
    get: (target, name) =>
      name === "send"
        ? (command: { readonly input: unknown }) => {
            seen.push(JSON.stringify(command.input));
            return target.send(command as never);
          }
        : Reflect.get(target, name),
  });
  const run = await world.submit("by hand");
  await world.deliver(run.run_id, { db: { ...stores.db, client } });
  expect(await world.job(run.run_id)).toMatchObject({ status: "completed" });
  expect(seen.length).toBeGreaterThan(2);
  expect(seen.filter((input) => input.includes(stores.db.tables.schedules))).toEqual([]);
  expect(world.schedules.sent).toEqual([]);
});

describe("a run of twenty minutes on a schedule of five", () => {
  /** Fires five slots, five minutes apart; the first one's run ends after the fourth. */
  async function played(overlap: "skip" | "queue" | "allow") {
    const world = scheduleRunWorld(stores.db);
    const schedule = await world.schedule({ overlap });
    for (let slot = 0; slot < 4; slot += 1) {
      if (slot > 0) minutes(world, 5);
      await world.fire(schedule);
    }
    return { world, schedule };
  }

  test("skip: one runs, three are skipped, and the next slot runs again", async () => {
    const { world, schedule } = await played("skip");
    expect(statuses(await world.runs(schedule))).toEqual(["skipped", "skipped", "skipped", "running"]);
    minutes(world, 1);
    await work(world);
    minutes(world, 4);
    await world.fire(schedule);
    expect(statuses(await world.runs(schedule))).toEqual([
      "running",
      "skipped",
      "skipped",
      "skipped",
      "success",
    ]);
    expect(await world.jobsOf(schedule)).toHaveLength(2);
  });

  test("queue: three wait, and run one after the other in their order", async () => {
    const { world, schedule } = await played("queue");
    expect(statuses(await world.runs(schedule))).toEqual(["queued", "queued", "queued", "running"]);
    await world.deliverAll();
    await world.attendAll();
    expect(statuses(await world.runs(schedule))).toEqual(["queued", "queued", "running", "success"]);
    await work(world);
    expect(statuses(await world.runs(schedule))).toEqual(["success", "success", "success", "success"]);
    expect(await world.jobsOf(schedule)).toHaveLength(4);
  });

  test("allow: four run side by side", async () => {
    const { world, schedule } = await played("allow");
    expect(statuses(await world.runs(schedule))).toEqual(["running", "running", "running", "running"]);
    expect(await world.jobsOf(schedule)).toHaveLength(4);
  });
});

describe("a failure", () => {
  test("is tried again after the wait, as an attempt of its own, until the attempts are spent", async () => {
    const world = scheduleRunWorld(stores.db);
    const payload = { message: "[[fail:boom]]" };
    const schedule = await world.schedule({ max_retries: 2, retry_delay_seconds: 600, payload });
    await world.fire(schedule);
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await work(world);
      const failed = await world.runs(schedule);
      expect(failed.map(({ attempt: number }) => number)).toEqual(range(attempt).toReversed());
      expect(failed[0]).toMatchObject({ status: "failed", status_code: 200, error: "boom" });
      minutes(world, 11);
      await world.sweepSchedules();
    }
    expect(statuses(await world.runs(schedule))).toEqual(["failed", "failed", "failed"]);
    expect(await world.jobsOf(schedule)).toHaveLength(3);
  });

  test("keeps the turn while it waits: a slot in between is skipped", async () => {
    const world = scheduleRunWorld(stores.db);
    const payload = { message: "[[fail:boom]]" };
    const schedule = await world.schedule({ max_retries: 1, retry_delay_seconds: 900, payload });
    await world.fire(schedule);
    await work(world);
    minutes(world, 5);
    await world.fire(schedule);
    minutes(world, 11);
    await world.sweepSchedules();
    await work(world);
    minutes(world, 5);
    await world.fire(schedule);
    const runs = await world.runs(schedule);
    expect(statuses(runs)).toEqual(["running", "failed", "skipped", "failed"]);
  });

  test("of a schedule that is disabled meanwhile is not tried again", async () => {
    const world = scheduleRunWorld(stores.db);
    const schedule = await world.schedule({ max_retries: 1, endpoint: "/agents/unknown/runs" });
    await world.fire(schedule);
    expect(await world.runs(schedule)).toMatchObject([{ status: "failed", status_code: 404 }]);
    await world.disable(schedule);
    minutes(world, 2);
    await world.sweepSchedules();
    expect(await world.runs(schedule)).toHaveLength(1);
  });
});

describe("a time-out", () => {
  test("fails the record and leaves the run alone", async () => {
    const world = scheduleRunWorld(stores.db);
    const schedule = await world.schedule({ timeout_seconds: 120 });
    await world.fire(schedule);
    minutes(world, 3);
    await world.sweepSchedules();
    const [failed] = await world.runs(schedule);
    expect(failed).toMatchObject({
      status: "failed",
      status_code: null,
      error: expect.stringMatching(/timed out/),
    });
    const [job] = await world.jobsOf(schedule);
    expect(await world.job(job ?? "")).toMatchObject({ status: "queued" });
    await work(world);
    expect(await world.job(job ?? "")).toMatchObject({ status: "completed" });
    expect(await world.runs(schedule)).toEqual([failed]);
  });

  test("comes within seconds of a short limit by a message of its own, of a longer one by the sweeper's", async () => {
    const world = scheduleRunWorld(stores.db);
    const [short, long] = [
      await world.schedule({ timeout_seconds: 10 }),
      await world.schedule({ timeout_seconds: 200 }),
    ];
    await world.fire(short);
    expect(world.schedules.sent.splice(0)).toMatchObject([
      { ref: { schedule_id: short.id }, delaySeconds: 11 },
    ]);
    await world.fire(long);
    expect(world.schedules.sent).toEqual([]);
    world.clock.advance(110_000);
    await scheduleRunWork.sweep(stores.db, { send: world.schedules.wake }, world.now());
    const [ofLong, ...others] = world.schedules.sent.filter(({ ref }) => ref.schedule_id === long.id);
    expect([ofLong?.delaySeconds, others]).toEqual([91, []]);
    world.clock.advance(91_000);
    await world.attendAll();
    expect(await world.runs(long)).toMatchObject([
      { status: "failed", error: expect.stringMatching(/200 seconds/) },
    ]);
  });

  test("does not come when the run ended and there was no notification in time", async () => {
    const world = scheduleRunWorld(stores.db);
    const schedule = await world.schedule({ timeout_seconds: 120 });
    await world.fire(schedule);
    await world.deliverAll();
    world.schedules.sent.length = 0;
    minutes(world, 30);
    await world.sweepSchedules();
    expect(statuses(await world.runs(schedule))).toEqual(["success"]);
  });
});

test("a run that was cancelled fails its record", async () => {
  const world = scheduleRunWorld(stores.db);
  const schedule = await world.schedule();
  await world.fire(schedule);
  const [{ run_id, session_id } = { run_id: null, session_id: null }] = await world.runs(schedule);
  const run = await world.run({ run_id: run_id ?? "", session_id: session_id ?? "" });
  if (!run) throw new Error("the run is gone");
  await cancelRun(stores.db, run, world.now(), 86_400);
  world.clock.advance(10_000);
  await world.sweepSchedules();
  expect(await world.runs(schedule)).toMatchObject([
    { status: "failed", error: expect.stringMatching(/cancelled/) },
  ]);
});

describe("a call that is no run", () => {
  test("is made once, and where its answer was lost it is not made again", async () => {
    const world = scheduleRunWorld(stores.db);
    const schedule = await world.schedule({ method: "DELETE", endpoint: "/sessions/s-1" });
    let calls = 0;
    const dies = async () => {
      calls += 1;
      throw new Error("this process is dead");
    };
    await expect(world.fire(schedule, world.now(), { call: dies })).rejects.toThrow("dead");
    world.clock.advance((CALL_LEASE_SECONDS + 6) * 1000);
    await world.sweepSchedules();
    expect(await world.runs(schedule)).toMatchObject(
      [{ status: "failed", status_code: null, error: /answer was lost/ }].map(matching),
    );
    expect(calls).toBe(1);
    expect(world.calls()).toBe(0);
  });
});

test("only the platform itself can say that a schedule started a run", async () => {
  const world = scheduleRunWorld(stores.db);
  const schedule = await world.schedule();
  await world.fire(schedule);
  const [running] = await world.runs(schedule);
  const request = world.request("I am a schedule");
  const headers = { "x-schedule-run": `${schedule.id}/${running?.id}` };
  await createComponentRun({ ...request, headers }, world);
  expect(await world.jobsOf(schedule)).toEqual([running?.run_id]);
});

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);
const matching = ({ error, ...row }: { error: RegExp }) => ({ ...row, error: expect.stringMatching(error) });
