import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { planRetry } from "../../shared/domain/jobs/plan-retry.ts";

const BASE = 30;

describe("a failed execution", () => {
  test.each([
    ["model", 1, 1],
    ["model", 3, 3],
    ["input", 1, 5],
    ["permission", 1, 5],
    ["timeout", 5, 5],
    ["internal", 5, 5],
  ] as const)("caused by %s in attempt %i of %i is not tried again", (cause, attempt, ceiling) => {
    expect(planRetry(cause, attempt, ceiling, BASE, 0.5)).toEqual({ retry: "never" });
  });

  test.each(["timeout", "internal", "throttled", "model", "tools"] as const)(
    "caused by %s is tried again while attempts are left",
    (cause) => {
      expect(planRetry(cause, 1, 2, BASE, 0.5)).toEqual({ retry: "later", after_seconds: 15 });
    },
  );

  test.each([
    [1, 0.5, 15],
    [2, 0.5, 30],
    [3, 0.999, 119],
    [9, 0.5, 150],
    [1, 0, 0],
  ])(
    "in attempt %i waits a random part of a limit that doubles up to ten times the base",
    (attempt, random, wait) => {
      const plan = planRetry("throttled", attempt, 99, BASE, random);
      expect(plan).toEqual({ retry: "later", after_seconds: wait });
    },
  );

  test("never waits longer than ten times the base, whatever the attempt", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: 0, max: 90 }),
        fc.double({ min: 0, max: 0.999999, noNaN: true }),
        (attempt, base, random) => {
          const plan = planRetry("model", attempt, attempt + 1, base, random);
          return plan.retry === "later" && plan.after_seconds >= 0 && plan.after_seconds <= base * 10;
        },
      ),
    );
  });
});
