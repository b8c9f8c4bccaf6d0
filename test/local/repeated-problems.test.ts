import { expect, test } from "vitest";
import { repeatedProblems } from "../../local/dev/repeated-problems.ts";

test("a slip is said once for one save, and again for a later one", () => {
  const isRepeated = repeatedProblems();
  const slip = { functions: [], problems: ['tools/find-order.ts:18:19: Expected identifier but found "{"'] };
  expect(isRepeated(slip, 10_000)).toBe(false);
  expect(isRepeated(slip, 10_900)).toBe(true);
  expect(isRepeated({ functions: [], problems: ["another slip"] }, 11_000)).toBe(false);
  expect(isRepeated(slip, 11_100)).toBe(false);
  expect(isRepeated(slip, 20_000)).toBe(false);
});

test("what was reloaded is always said", () => {
  const isRepeated = repeatedProblems();
  const reloaded = { functions: ["runs"], problems: [] };
  expect([isRepeated(reloaded, 0), isRepeated(reloaded, 1)]).toEqual([false, false]);
});
