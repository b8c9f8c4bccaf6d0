import { afterAll, expect, test } from "vitest";
import { connectDailyBudgets } from "../../shared/engine/turn/connect-daily-budgets.ts";
import { manualClock } from "../support/manual-clock.ts";
import { queueWorld } from "../support/queue-world.ts";
import { T0 } from "../support/records.ts";
import { startStores } from "../support/stores.ts";

const stores = await startStores();
afterAll(stores.stop);

const LIMIT = 20_000;
const budgetsOf = (tokens: number) =>
  connectDailyBudgets(
    { db: stores.db, clock: manualClock(T0 * 1000) },
    { DAILY_TOKENS_PER_USER: tokens, DAILY_COST_PER_USER: 0 },
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
