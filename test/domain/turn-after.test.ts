import { expect, test } from "vitest";
import { turnAfter } from "../../shared/domain/jobs/turn-after.ts";

const waits = (of: Record<string, readonly string[]>) => new Map(Object.entries(of));

test("a run that continues waits for all live runs, but not for those that wait for it", () => {
  expect(turnAfter("a", ["c", "b"], waits({}))).toEqual(["c", "b"]);
  expect(turnAfter("a", ["c", "b"], waits({ b: ["a"] }))).toEqual(["c"]);
  expect(turnAfter("a", ["c", "b"], waits({ c: ["b"], b: ["a"] }))).toEqual([]);
  expect(turnAfter("a", ["c", "b", "a"], waits({ c: ["b"] }))).toEqual(["c", "b"]);
});

test("what waits in a circle, as no runs do, is looked at once", () => {
  expect(turnAfter("a", ["c", "b"], waits({ b: ["c"], c: ["b"] }))).toEqual(["c", "b"]);
});
