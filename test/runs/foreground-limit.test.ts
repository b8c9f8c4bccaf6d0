import { afterAll, beforeAll, expect, test } from "vitest";
import { write } from "../../shared/data/write.ts";
import { ServiceError } from "../../shared/errors.ts";
import { LEASE_SECONDS } from "../../shared/runs/foreground/foreground-slot.ts";
import { createComponentRun } from "../../shared/runs/index.ts";
import { listTakenSlots, takeSlot } from "../../shared/stores/budgets/foreground-slots.ts";
import type { Db } from "../../shared/stores/db.ts";
import { type QueueSettings, queueWorld } from "../support/queue-world.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

let users = 0;
/** Two instances of the function, and a user of their own. */
function aLimit(settings: Partial<QueueSettings>, db: Db = stores.db) {
  const world = queueWorld(db, settings);
  users += 1;
  const user_id = `user-${users}`;
  const ask = (message: string, as: string = user_id, admin = false) => {
    const request = world.request(message, { background: false });
    return createComponentRun(
      { ...request, principal: { ...request.principal, user_id: as, admin } },
      { ...world, random: Math.random },
    );
  };
  return { ...world, user_id, ask, taken: () => listTakenSlots(db, user_id, world.clock.now() / 1000) };
}

const outcomes = (settled: readonly PromiseSettledResult<unknown>[]) =>
  settled.map((one) => (one.status === "fulfilled" ? "answered" : (one.reason as ServiceError).code)).sort();

test("of many that are asked for at once, as many go on as the limit allows, and the others are refused", async () => {
  const { ask, taken } = aLimit({ MAX_FOREGROUND_PER_USER: 3 });
  const asked = Promise.allSettled(Array.from({ length: 8 }, () => ask("[[sleep:3000]]")));
  await expect.poll(taken).toHaveLength(3);
  const settled = await asked;
  expect(outcomes(settled)).toEqual(
    [...Array(5).fill("TOO_MANY_REQUESTS"), ...Array(3).fill("answered")].sort(),
  );
  const refused = settled.find((one) => one.status === "rejected")?.reason as ServiceError;
  expect(refused.message).toContain("MAX_FOREGROUND_PER_USER");
  expect(refused.headers).toEqual({ "retry-after": "5" });
  expect(await taken()).toEqual([]);
  expect(await ask("again")).toMatchObject({ status: "COMPLETED" });
});

test("another user has slots of its own, and background runs take none", async () => {
  const { ask, submit } = aLimit({ MAX_FOREGROUND_PER_USER: 1 });
  const first = ask("[[sleep:3000]]");
  expect(await ask("hi", "another-user")).toMatchObject({ status: "COMPLETED" });
  await submit("later");
  await expect(ask("too many")).rejects.toThrow(ServiceError);
  await first;
});

test("a run that fails frees its slot", async () => {
  const { ask, taken } = aLimit({ MAX_FOREGROUND_PER_USER: 1 });
  expect(await ask("[[fail:boom]]")).toMatchObject({ status: "ERROR" });
  expect(await taken()).toEqual([]);
});

test("the slot of a process that died is free when no function of that time can be alive", async () => {
  const { ask, user_id, clock } = aLimit({ MAX_FOREGROUND_PER_USER: 1 });
  const now = clock.now() / 1000;
  const dead = { user_id, number: 0, run_id: "dead", expires_at: now + LEASE_SECONDS };
  await write(stores.db, takeSlot(dead, now));
  await expect(ask("hi")).rejects.toThrow(ServiceError);
  clock.advance(LEASE_SECONDS * 1000);
  expect(await ask("hi")).toMatchObject({ status: "COMPLETED" });
});

test("all callers together have a limit too, which admins do not pass", async () => {
  const { ask } = aLimit({ MAX_FOREGROUND: 2 });
  const settled = await Promise.allSettled(
    ["anna", "bert", "carla", "root"].map((name) => ask("[[sleep:2000]]", name, name === "root")),
  );
  expect(outcomes(settled)).toEqual(["TOO_MANY_REQUESTS", "TOO_MANY_REQUESTS", "answered", "answered"]);
  const refused = settled.find((one) => one.status === "rejected")?.reason as ServiceError;
  expect(refused.message).toMatch(/^2 runs are going on .* MAX_FOREGROUND allows/);
  expect(await listTakenSlots(stores.db, null, Date.now() / 1000)).toEqual([]);
  expect(await ask("again", "carla")).toMatchObject({ status: "COMPLETED" });
});

test("0 switches the limit off", async () => {
  const { ask, taken } = aLimit({ MAX_FOREGROUND_PER_USER: 0 });
  const runs = await Promise.all(Array.from({ length: 12 }, () => ask("hi")));
  expect(runs).toHaveLength(12);
  expect(await taken()).toEqual([]);
});

test("a run in a free slot waits for no call that one without a limit does not make", async () => {
  const callsOf = async (settings: Partial<QueueSettings>) => {
    const calls: string[] = [];
    const client = new Proxy(stores.db.client, {
      get: (target, name) =>
        name !== "send"
          ? Reflect.get(target, name)
          : (command: { constructor: { name: string } }) => {
              calls.push(command.constructor.name);
              return target.send(command as never);
            },
    });
    await aLimit(settings, { ...stores.db, client }).ask("hi");
    return calls;
  };
  const unlimited = await callsOf({ MAX_FOREGROUND_PER_USER: 0 });
  // The slot is freed beside the write of the run's end.
  const [end] = unlimited.slice(-1);
  expect(await callsOf({ MAX_FOREGROUND_PER_USER: 10 })).toEqual([
    ...unlimited.slice(0, -1),
    "UpdateCommand",
    end,
  ]);
});

test("an admin's runs are not limited, as those of an operator who answers for the platform", async () => {
  const { ask, user_id, taken } = aLimit({ MAX_FOREGROUND_PER_USER: 1 });
  const asked = Promise.allSettled(Array.from({ length: 4 }, () => ask("[[sleep:200]]", user_id, true)));
  expect(outcomes(await asked)).toEqual(Array(4).fill("answered"));
  expect(await taken()).toEqual([]);
});
