import { afterAll, describe, expect, test } from "vitest";
import { type BudgetHold, reserveBudget, settleBudget } from "../../shared/stores/budgets/daily-budget.ts";
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
