import { afterAll, beforeEach, expect, test } from "vitest";
import { transact } from "../../shared/data/write.ts";
import { addUncounted, countEnded, countJobs, countRequeued } from "../../shared/stores/jobs/counters.ts";
import { T0 } from "../support/records.ts";
import { startStores } from "../support/stores.ts";

const EXPIRES = T0 + 7200;
let stores = await startStores();
afterAll(() => stores.stop());
beforeEach(async () => {
  await stores.stop();
  stores = await startStores();
});

let made = 0;
const newId = () => `job-${(++made).toString(16).padStart(4, "0")}`;
/** Ends a job whose transaction has met others so often. */
const end = (tryNumber: number, status: "completed" | "failed" = "completed", expires = EXPIRES) =>
  transact(stores.db, { counter: countEnded({ db: stores.db, id: newId(), tryNumber }, status, expires) });
const totals = (now = T0) => countJobs(stores.db, ["completed", "failed", "cancelled"], now);

test("an ending that met others again and again is counted at once, and stays counted when the sweeper has added it", async () => {
  for (const tryNumber of [0, 0, 1, 2, 3, 4, 7]) await end(tryNumber);
  await end(5, "failed");
  const expected = { completed: 7, failed: 1, cancelled: 0 };
  expect(await totals()).toEqual(expected);
  expect(await addUncounted(stores.db)).toBe(4);
  expect(await totals()).toEqual(expected);
  expect(await addUncounted(stores.db)).toBe(0);
});

test("a requeue is taken off in the same way", async () => {
  await end(0);
  const change = { db: stores.db, id: newId(), tryNumber: 6 };
  await transact(stores.db, { counter: countRequeued(change, "completed", EXPIRES) });
  expect(await totals()).toMatchObject({ completed: 0 });
  expect(await addUncounted(stores.db)).toBe(1);
  expect(await totals()).toMatchObject({ completed: 0 });
});

test("what expires is no longer counted, added or not", async () => {
  await end(3, "completed", T0 + 10);
  await end(3);
  expect(await totals(T0 + 20)).toMatchObject({ completed: 1 });
  await addUncounted(stores.db);
  expect(await totals(T0 + 20)).toMatchObject({ completed: 1 });
});

test("several rounds beside endings count each of them once", async () => {
  await Promise.all(Array.from({ length: 250 }, () => end(3)));
  await Promise.all([
    ...Array.from({ length: 4 }, () => addUncounted(stores.db)),
    ...Array.from({ length: 50 }, () => end(3)),
  ]);
  while ((await addUncounted(stores.db)) > 0);
  expect(await totals()).toMatchObject({ completed: 300 });
});
