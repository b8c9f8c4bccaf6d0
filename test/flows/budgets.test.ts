import { afterAll, expect, test } from "vitest";
import { connectDailyBudgets } from "../../shared/engine/turn/connect-daily-budgets.ts";
import type { Figures } from "../../shared/runtime/metrics/meter.ts";
import { manualClock } from "../support/manual-clock.ts";
import { queueWorld } from "../support/queue-world.ts";
import { T0 } from "../support/records.ts";
import { startStores } from "../support/stores.ts";

const stores = await startStores();
afterAll(stores.stop);

const LIMIT = 20_000;
const none = {
  DAILY_TOKENS_PER_USER: 0,
  DAILY_COST_PER_USER: 0,
  DAILY_TOKENS_PER_DEPLOYMENT: 0,
  DAILY_COST_PER_DEPLOYMENT: 0,
};
const budgetsOf = (tokens: number) =>
  connectDailyBudgets(
    { db: stores.db, clock: manualClock(T0 * 1000) },
    { ...none, DAILY_TOKENS_PER_USER: tokens },
  );

test("fifty runs at once on one daily budget never overspend, and whoever finds no room waits for a person", async () => {
  const world = queueWorld(stores.db);
  const dailyBudgets = budgetsOf(LIMIT);
  const submitted = await Promise.all(Array.from({ length: 50 }, () => world.submit("[[tokens:3000]]")));
  await Promise.all(submitted.map(({ run_id }) => world.deliver(run_id, { dailyBudgets })));
  const runs = await Promise.all(submitted.map((run) => world.run(run)));
  const completed = runs.filter((run) => run?.status === "COMPLETED");
  const paused = runs.filter((run) => run?.status === "PAUSED");
  const spent = completed.reduce((sum, run) => sum + (run?.output.metrics?.total_tokens ?? 0), 0);

  expect(completed.length).toBeGreaterThan(0);
  expect(completed.length + paused.length).toBe(50);
  expect(spent).toBeLessThanOrEqual(LIMIT);
  expect(paused[0]?.output.tools?.[0]).toMatchObject({
    tool_name: "budget",
    tool_args: { limit: "daily_tokens_per_user", allowed: LIMIT },
  });

  // What was held and not used has come back: beside what was spent there is room for one more call.
  const last = await world.submit("hello");
  await world.deliver(last.run_id, { dailyBudgets: budgetsOf(spent + 10_000) });
  expect(await world.run(last)).toMatchObject({ status: "COMPLETED" });
});

test("a run without a budget writes nothing for it", async () => {
  const world = queueWorld(stores.db);
  const { run_id } = await world.submit("hello");
  const { client, tables } = stores.db;
  const written: unknown[] = [];
  const watched = {
    ...stores.db,
    client: Object.assign(Object.create(client), {
      send: (command: { input: { TableName?: string } }) => {
        if (command.input.TableName === tables.budgets) written.push(command);
        return Reflect.apply(client.send, client, [command]);
      },
    }),
  };
  await world.deliver(run_id, { db: watched });
  expect(await world.job(run_id)).toMatchObject({ status: "completed" });
  expect(written).toEqual([]);
});

/** What operators see: figures and warnings. */
function watching() {
  const percents: number[] = [];
  const warned: unknown[] = [];
  const log = { warn: (message: string, more?: object) => void warned.push({ message, ...more }) };
  const meter = { record: ({ DailyBudgetPercent: percent }: Figures) => percent && percents.push(percent) };
  return { percents, warned, log, meter };
}

test("all users together spend no more than the deployment's budget, and operators see it coming", async () => {
  const { percents, warned, log, meter } = watching();
  const world = queueWorld(stores.db);
  // Another day than that of the tests above: all users share it.
  const clock = manualClock((T0 + 86_400) * 1000);
  const dailyBudgets = connectDailyBudgets(
    { db: stores.db, clock, log, meter },
    { ...none, DAILY_TOKENS_PER_DEPLOYMENT: 8_000 },
  );
  const spend = async (user_id: string) => {
    const daily = await dailyBudgets(user_id, `key-${user_id}`);
    const reserved = await daily?.reserve("call", { tokens: 3_500, cost: 0 });
    if (reserved?.granted) await reserved.settle({ tokens: 3_300, cost: 0 });
    return reserved;
  };
  expect(await spend("maria")).toMatchObject({ granted: true });
  expect(percents).toEqual([]);
  expect(await spend("otto")).toMatchObject({ granted: true });
  expect(percents).toEqual([82]);
  expect(warned).toEqual([{ message: "a daily budget is nearly spent", payer: "deployment", percent: 82 }]);
  expect(await spend("rosa")).toEqual({
    granted: false,
    payer: "deployment",
    limits: { tokens: 8_000 },
    spent: { tokens: 6_600, cost: 0 },
  });
  const asked = await world.submit("hello");
  await world.deliver(asked.run_id, { dailyBudgets });
  expect((await world.run(asked))?.output.tools?.[0]).toMatchObject({
    tool_name: "budget",
    tool_args: { limit: "daily_tokens_per_deployment", allowed: 8_000, spent: 6_600 },
  });
});

test("a model without a price counts as a dear one", async () => {
  const world = queueWorld(stores.db);
  const clock = manualClock((T0 + 2 * 86_400) * 1000);
  const budgets = (cost: number) =>
    connectDailyBudgets({ db: stores.db, clock }, { ...none, DAILY_COST_PER_USER: cost });
  const rich = await world.submit("hello");
  await world.deliver(rich.run_id, { dailyBudgets: budgets(20) });
  expect(await world.run(rich)).toMatchObject({ status: "COMPLETED" });
  // 4,096 tokens of an answer cost 30 cents then.
  const poor = await world.submit("hello");
  await world.deliver(poor.run_id, { dailyBudgets: budgets(0.3) });
  expect((await world.run(poor))?.output.tools?.[0]).toMatchObject({
    tool_args: { limit: "daily_cost_per_user", allowed: 0.3 },
  });
});
