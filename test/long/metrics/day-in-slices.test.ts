import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startOfDay, utcDay } from "../../../shared/domain/utc-day.ts";
import { queryPages } from "../../../shared/stores/db.ts";
import {
  aConversation,
  type Conversation,
  everybody,
  keep,
  metricsWorld,
} from "../../metrics/metrics-world.ts";
import { slowFigures } from "../../metrics/slow-oracle.ts";
import { breakingDb } from "../../support/breaking-db.ts";
import { startStores, type TestStores } from "../../support/stores.ts";
import { watchedDb } from "../../support/watched-db.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const DAY = 86_400;
/** Each test has days of its own: everybody's figures are one store's. */
let midnight = startOfDay("2024-02-27");
beforeEach(() => {
  midnight += 10 * DAY;
});
const world = () => metricsWorld(stores.db, midnight + DAY - 1);

/** Sessions of a day, some of them without runs; with fewer users than sessions, most users are in several slices. */
const conversations = (sessions: number, users: number): Conversation[] =>
  Array.from({ length: sessions }, (_, i) =>
    aConversation(
      {
        user_id: `user-${i % users}`,
        created_at: midnight + i * 60,
        session_type: i % 3 === 0 ? "team" : "agent",
        input_tokens: i,
        output_tokens: 2 * i,
        total_tokens: 3 * i,
      },
      i % 5 === 0 ? [] : [{ model: `model-${i % 4}`, tokens: i, cost: i / 1_000 }],
    ),
  );

/** The day as it is stored, without when it was computed. */
async function storedDay(days: ReturnType<typeof metricsWorld>["days"]) {
  const found = (await days()).find(({ day }) => day === utcDay(midnight));
  if (!found) throw new Error("the day is not computed");
  const { day: _, refresh_id: _r, created_at: _c, updated_at: _u, ...figures } = found;
  return figures;
}

/** What is left of slices of the day. */
async function leftOfSlices(): Promise<number> {
  let left = 0;
  const pages = queryPages(stores.db, {
    TableName: stores.db.tables.metrics,
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": `slices#all#${utcDay(midnight)}` },
  });
  for await (const { Items = [] } of pages) left += Items.length;
  return left;
}

test("a refresh that dies at any write within a day is continued, and each session counts once", async () => {
  const all = conversations(9, 4);
  await keep(stores.db, all);
  const writes = /Put|Update|Delete|BatchWrite/;
  let died = 0;
  // Before a write is after the one before it.
  for (let write = 1; died === write - 1; write += 1) {
    const { ask, calls, work, days } = world();
    await ask();
    const [call] = calls;
    await work({ db: breakingDb(stores.db, write, "before", writes).db, sliceSize: 3 }).catch(() => {
      died += 1;
    });
    if (call) calls.push(call);
    await work({ sliceSize: 3 });
    expect(await storedDay(days)).toMatchObject(slowFigures(all, utcDay(midnight)) ?? {});
    expect(await leftOfSlices()).toBe(0);
  }
  // At least the parts, the progress and the refresh of two slices.
  expect(died).toBeGreaterThan(6);
});

test("a refresh without time for the next slice says so, and the next one reads only what was not counted", async () => {
  const all = conversations(40, 40);
  await keep(stores.db, all);
  const { ask, work, days, state, setTime, now } = world();
  const started = now();
  let read = 0;
  // Each slice takes ten minutes of the fifteen.
  const slow = watchedDb(stores.db, {
    after: (command, answer) => {
      if (command.constructor.name === "BatchWriteCommand") setTime(now() + 600);
      if (command.constructor.name === "BatchGetCommand")
        read += Object.values<{ created_at: number }[]>(Object(answer).Responses)
          .flat()
          .filter(({ created_at }) => created_at >= midnight).length;
    },
  });
  setTime(started - 3_600);
  await ask();
  await work({ db: slow, sliceSize: 10 });
  expect(await state(everybody)).toMatchObject({
    status: "failed",
    error: expect.stringMatching(/refresh again within the hour/),
  });
  // Two slices, of which each ends with its batch.
  expect(read).toBeLessThan(40);
  const before = read;
  await ask();
  await work({ db: watchedDb(slow, {}), sliceSize: 1_000 });
  expect(read - before).toBe(40 - before);
  expect(await storedDay(days)).toMatchObject(slowFigures(all, utcDay(midnight)) ?? {});
});

test("a day that is larger than a slice has the figures that it has in one", async () => {
  const all = conversations(240, 130);
  await keep(stores.db, all);
  const { ask, work, days } = world();
  await ask();
  await work();
  const inOne = await storedDay(days);
  expect(inOne).toMatchObject(slowFigures(all, utcDay(midnight)) ?? {});
  // More users than a day shows one by one.
  expect(inOne.user_metrics?.at(-1)).toMatchObject({ user_id: null, others: expect.any(Number) });
  await ask();
  await work({ sliceSize: 50 });
  expect(await storedDay(days)).toEqual(inOne);
  expect(await leftOfSlices()).toBe(0);
});
