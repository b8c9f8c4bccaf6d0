import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Principal } from "../../shared/auth/principal.ts";
import { createLimit } from "../../shared/auth/request-limit.ts";
import { accessStoreOver } from "../../shared/stores/service-accounts/access-store.ts";
import { manualClock } from "../support/manual-clock.ts";
import { startStores, type TestStores } from "../support/stores.ts";
import { watchedDb } from "../support/watched-db.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores?.stop());

let users = 0;
/** A principal, and function instances that share a table and nothing else. */
function aWorld(limit: number, instances: number) {
  const clock = manualClock(Math.floor(Date.now() / 1000) * 1000);
  const principal: Principal = { kind: "user", user_id: `u${++users}`, scopes: [], admin: false };
  const faults: unknown[] = [];
  let writes = 0;
  let fails = false;
  const db = watchedDb(stores.db, {
    before: async () => {
      writes += 1;
      if (fails) throw new Error("the table is not there");
    },
  });
  const limits = Array.from({ length: instances }, () =>
    createLimit({
      store: async () => accessStoreOver(db),
      requestsPerMinute: limit,
      now: clock.now,
      onFault: (cause) => faults.push(cause),
    }),
  );
  const ask = (instance = 0, who = principal) => {
    const limitOf = limits[instance];
    if (!limitOf) throw new Error("there is no such instance");
    return limitOf(who);
  };
  /** Sends requests to the instances in turn. @returns how many passed */
  const send = async (count: number) => {
    let passed = 0;
    for (let i = 0; i < count; i += 1) if (!(await ask(i % instances))) passed += 1;
    return passed;
  };
  return { clock, principal, faults, ask, send, writes: () => writes, breakTable: () => (fails = true) };
}

describe("one instance", () => {
  test.each([1, 5, 100, 3000])("stops a principal exactly at %i", async (limit) => {
    const world = aWorld(limit, 1);
    expect(await world.send(limit)).toBe(limit);
    expect(await world.send(50)).toBe(0);
  });

  test("writes far less often than it is asked, and never once it refuses", async () => {
    const world = aWorld(3000, 1);
    await world.send(3000);
    expect(world.writes()).toBeLessThan(100);
    const before = world.writes();
    await world.send(1000);
    expect(world.writes()).toBe(before);
  });

  test("writes nothing for a principal that asks little", async () => {
    const world = aWorld(30_000, 1);
    for (let minute = 0; minute < 5; minute += 1) {
      expect(await world.send(19)).toBe(19);
      world.clock.advance(61_000);
    }
    expect(world.writes()).toBe(0);
  });

  test("says when to come back, and lets the principal in then", async () => {
    const world = aWorld(10, 1);
    await world.send(10);
    world.clock.advance(20_000);
    const over = await world.ask();
    expect(over).toMatchObject({ outcome: "throttled", detail: expect.stringContaining("10 a minute") });
    const wait = over?.retry_after_seconds ?? 0;
    expect(wait).toBe(40);
    world.clock.advance((wait - 1) * 1000);
    expect(await world.ask()).toBeDefined();
    world.clock.advance(1000);
    expect(await world.send(10)).toBe(10);
  });

  test("counts principals apart, and not at all with a limit of 0", async () => {
    const world = aWorld(10, 1);
    await world.send(10);
    expect(await world.ask(0, { ...world.principal, user_id: `u${++users}` })).toBeUndefined();
    const open = aWorld(0, 1);
    expect(await open.send(500)).toBe(500);
    expect(open.writes()).toBe(0);
  });

  test("counts requests that come at once", async () => {
    const world = aWorld(100, 1);
    const answers = await Promise.all(Array.from({ length: 300 }, () => world.ask()));
    expect(answers.filter((over) => over === undefined)).toHaveLength(100);
  });

  test("goes on by its own count while the table cannot be written", async () => {
    const world = aWorld(100, 1);
    world.breakTable();
    expect(await world.send(150)).toBe(100);
    expect(world.faults.length).toBeGreaterThan(0);
  });
});

describe("several instances", () => {
  test.each([
    [200, 2],
    [3000, 2],
    [3000, 10],
    [12_000, 30],
  ])("stop a principal at %i soon after, when it spreads its requests over %i", async (limit, instances) => {
    const world = aWorld(limit, instances);
    const passed = await world.send(limit * 3);
    expect(passed).toBeGreaterThanOrEqual(limit);
    expect(passed).toBeLessThanOrEqual(limit + instances * 20 + limit * 0.1 * (1 + Math.log(instances)));
    expect(world.writes()).toBeLessThan(limit / 4);
  });

  test("stop it at the second, where the first has counted everything", async () => {
    const world = aWorld(200, 2);
    for (let i = 0; i < 200; i += 1) await world.ask(0);
    let passed = 0;
    for (let i = 0; i < 50; i += 1) if (!(await world.ask(1))) passed += 1;
    expect(passed).toBeLessThanOrEqual(10);
  });
});
