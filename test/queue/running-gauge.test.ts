import { describe, expect, test } from "vitest";
import { createRunningGauge } from "../../shared/queue/running-gauge.ts";
import { manualClock } from "../support/manual-clock.ts";

/** A gauge over an index that a test fills by hand. */
function gaugeOver(index: Record<string, string[]>) {
  const clock = manualClock(0);
  const gauge = createRunningGauge(async (user) => index[user] ?? [], clock);
  const admit = async (user: string, id: string, limit: number) => (await gauge.take(user, id, limit)).taken;
  return { clock, admit, ...gauge };
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

  test("has a place again that was given back, and knows who has the others", async () => {
    const gauge = gaugeOver({ maria: ["a"] });
    expect(await gauge.take("maria", "b", 2)).toEqual({ taken: true, isCrowded: true });
    expect(gauge.isTaken("b")).toBe(true);
    expect(await gauge.take("maria", "c", 2)).toEqual({ taken: false, by: ["a", "b"] });
    gauge.giveBack("b");
    expect(gauge.isTaken("b")).toBe(false);
    expect(await gauge.take("maria", "c", 2)).toMatchObject({ taken: true });
  });

  test("says from half the places on that there is a crowd", async () => {
    const gauge = gaugeOver({});
    const crowded = ["a", "b", "c", "d"].map(async (id) => {
      const place = await gauge.take("maria", id, 4);
      return place.taken && place.isCrowded;
    });
    expect(await Promise.all(crowded)).toEqual([false, true, true, true]);
  });
});
