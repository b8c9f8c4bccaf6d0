import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, describe, expect, test } from "vitest";
import {
  type BudgetHold,
  readBudgetDay,
  reserveBudget,
  settleBudget,
} from "../../shared/stores/budgets/daily-budget.ts";
import type { Db } from "../../shared/stores/db.ts";
import { startStores } from "../support/stores.ts";

const { db, stop } = await startStores();
afterAll(stop);

let users = 0;
/** Reservations of a user of its own, on one day. */
function aDay() {
  users += 1;
  const user_id = `user-${users}`;
  return (key: string, day = "2026-11-21"): BudgetHold => ({ of: { user_id }, day, key });
}

const tokens = (count: number) => ({ tokens: count, cost: 0 });

describe("a daily budget", () => {
  test("of 50 reservations at once grants as many as fit and never one more", async () => {
    const hold = aDay();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => reserveBudget(db, hold(`run-${i}`), tokens(30), { tokens: 1000 })),
    );
    expect(answers.filter(({ granted }) => granted)).toHaveLength(33);
    const refused = await reserveBudget(db, hold("late"), tokens(11), { tokens: 1000 });
    expect(refused).toEqual({ granted: false, spent: tokens(990) });
  });

  test("has room again for what was held and not used", async () => {
    const hold = aDay();
    await reserveBudget(db, hold("a"), tokens(900), { tokens: 1000 });
    expect(await settleBudget(db, hold("a"), tokens(900), tokens(100))).toEqual(tokens(100));
    expect(await reserveBudget(db, hold("b"), tokens(900), { tokens: 1000 })).toEqual({ granted: true });
  });

  test("settles a reservation once, whoever tries again", async () => {
    const hold = aDay();
    await reserveBudget(db, hold("a"), tokens(500), { tokens: 1000 });
    const settled = await Promise.all(
      [1, 2, 3].map(() => settleBudget(db, hold("a"), tokens(500), tokens(0))),
    );
    expect(settled.filter(Boolean)).toHaveLength(1);
    const full = await reserveBudget(db, hold("b"), tokens(1001), { tokens: 1000 });
    expect(full).toEqual({ granted: false, spent: tokens(0) });
  });

  test("counts a reservation that is sent again once", async () => {
    const hold = aDay();
    for (const _ of [1, 2, 3]) {
      expect(await reserveBudget(db, hold("a"), tokens(600), { tokens: 1000 })).toEqual({ granted: true });
    }
    expect(await reserveBudget(db, hold("b"), tokens(400), { tokens: 1000 })).toEqual({ granted: true });
  });

  test("keeps counting what a dead process held", async () => {
    const hold = aDay();
    await reserveBudget(db, hold("run-1#1#step-2"), tokens(700), { tokens: 1000 });
    const next = await reserveBudget(db, hold("run-1#2#step-2"), tokens(700), { tokens: 1000 });
    expect(next).toEqual({ granted: false, spent: tokens(700) });
  });

  test("refuses at once what is larger than the whole day, and holds nothing of it", async () => {
    const hold = aDay();
    expect(await reserveBudget(db, hold("a"), tokens(2000), { tokens: 1000 })).toMatchObject({
      granted: false,
    });
    expect(await reserveBudget(db, hold("b"), tokens(1000), { tokens: 1000 })).toEqual({ granted: true });
  });

  test("limits tokens and dollars side by side, and adds dollars without a rounding error", async () => {
    const hold = aDay();
    const dime = { tokens: 1, cost: 0.1 };
    for (const i of Array.from({ length: 10 }, (_, at) => at)) {
      expect(await reserveBudget(db, hold(`a${i}`), dime, { tokens: 1000, cost: 1 })).toEqual({
        granted: true,
      });
    }
    const full = await reserveBudget(db, hold("b"), dime, { tokens: 1000, cost: 1 });
    expect(full).toEqual({ granted: false, spent: { tokens: 10, cost: 1 } });
    expect(await reserveBudget(db, hold("c"), dime, { tokens: 1000 })).toEqual({ granted: true });
  });

  test("belongs to one user and one day", async () => {
    const [maria, otto] = [aDay(), aDay()];
    const all = { tokens: 1000 };
    for (const hold of [maria("a"), otto("a"), maria("a", "2026-11-22")]) {
      expect(await reserveBudget(db, hold, tokens(1000), all)).toEqual({ granted: true });
    }
  });
});

describe("the day of a deployment", () => {
  const hold = (key: string, day: string): BudgetHold => ({ of: "deployment", day, key });

  test("counts a reservation and its settlement once, also where the SDK sends each twice", async () => {
    const day = "2026-11-23";
    const twice: Db = { ...db, client: sendingTwice() };
    expect(await reserveBudget(twice, hold("a", day), tokens(600), { tokens: 1000 })).toEqual({
      granted: true,
    });
    expect(await readBudgetDay(db, { of: "deployment", day })).toEqual(tokens(600));
    await settleBudget(twice, hold("a", day), tokens(600), tokens(50));
    expect(await readBudgetDay(db, { of: "deployment", day })).toEqual(tokens(50));
  });

  test("counts every one of many at once, and stays below 1 KB", async () => {
    const day = "2026-11-24";
    const keys = Array.from({ length: 200 }, (_, at) => `run-${at}#step-1`);
    await Promise.all(keys.map((key) => reserveBudget(db, hold(key, day), tokens(30), { tokens: 100_000 })));
    expect(await readBudgetDay(db, { of: "deployment", day })).toEqual(tokens(6000));
    await Promise.all(keys.map((key) => settleBudget(db, hold(key, day), tokens(30), tokens(7))));
    expect(await readBudgetDay(db, { of: "deployment", day })).toEqual(tokens(1400));
    const { Item } = await db.client.send(
      new GetCommand({ TableName: db.tables.budgets, Key: { pk: "deployment", sk: `day#${day}` } }),
    );
    expect(Object.keys(Item ?? {}).length).toBeGreaterThan(40);
    expect(Buffer.byteLength(JSON.stringify(Item))).toBeLessThan(1300);
  });
});

/** A client whose every call arrives twice, as after an answer that was lost on its way; the second answer is given. */
const sendingTwice = (): Db["client"] =>
  Object.create(db.client, {
    send: {
      value: async (command: Parameters<Db["client"]["send"]>[0]) => {
        await db.client.send(command);
        return db.client.send(command);
      },
    },
  });
