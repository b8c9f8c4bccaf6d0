import { afterAll, expect, test } from "vitest";
import { readElicitedAnswer, recordElicitedAnswer } from "../../shared/stores/runs/elicited-answer.ts";
import { readCancellationById } from "../../shared/stores/runs/run-cancellation.ts";
import { startStores } from "../support/stores.ts";

const { db, stop } = await startStores();
afterAll(stop);

const NOW = 1_800_000_000;

test("the answer of a person is a yes or a no, of one question alone, and cancels nothing", async () => {
  expect(await readElicitedAnswer(db, "a", NOW)).toBeUndefined();
  await recordElicitedAnswer(db, "a", true, NOW);
  await recordElicitedAnswer(db, "b", false, NOW);
  expect(await readElicitedAnswer(db, "a", NOW)).toBe(true);
  expect(await readElicitedAnswer(db, "b", NOW)).toBe(false);
  expect(await readElicitedAnswer(db, "c", NOW)).toBeUndefined();
  expect(await readCancellationById(db, "a")).toEqual({});
});

test("an answer expires, also before it is removed", async () => {
  await recordElicitedAnswer(db, "late", true, NOW);
  expect(await readElicitedAnswer(db, "late", NOW + 899)).toBe(true);
  expect(await readElicitedAnswer(db, "late", NOW + 900)).toBeUndefined();
});
