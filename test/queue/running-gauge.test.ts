import { describe, expect, test } from "vitest";
import { createRunningGauge } from "../../shared/queue/running-gauge.ts";
import { manualClock } from "../support/manual-clock.ts";

/** A gauge over an index that a test fills by hand. */
function gaugeOver(index: Record<string, string[]>) {
  const clock = manualClock(0);
  return { clock, ...createRunningGauge(async (user) => index[user ?? ""] ?? [], clock) };
}

describe("the gauge of running runs", () => {
  test("admits up to the limit, each user apart", async () => {
    const gauge = gaugeOver({ maria: ["a"] });
    expect(await gauge.admit("maria", "b", 2)).toBe(true);
    expect(await gauge.admit("maria", "c", 2)).toBe(false);
    expect(await gauge.admit("otto", "d", 2)).toBe(true);
  });

  test("admits one of a batch that asks at once, though the index knows of none yet", async () => {
    const gauge = gaugeOver({});
    const batch = ["a", "b", "c"].map((id) => gauge.admit("maria", id, 1));
    expect(await Promise.all(batch)).toEqual([true, false, false]);
  });

  test("trusts the index alone once it must have caught up", async () => {
    const gauge = gaugeOver({});
    expect(await gauge.admit("maria", "a", 1)).toBe(true);
    gauge.clock.advance(1_000);
    expect(await gauge.admit("maria", "b", 1)).toBe(true);
  });

  test("does not count a job against itself when its message comes twice", async () => {
    const gauge = gaugeOver({});
    expect(await gauge.admit("maria", "a", 1)).toBe(true);
    expect(await gauge.admit("maria", "a", 1)).toBe(true);
  });
});
