import { describe, expect, test } from "vitest";
import { createDepthGauge, MOST_PLACES } from "../../shared/queue/depth-gauge.ts";
import { countsAlone } from "../support/depth-counts.ts";
import { type ManualClock, manualClock } from "../support/manual-clock.ts";

/** A gauge with one limit, for all. */
function gaugeOfAll(all: () => Promise<number>, clock: ManualClock) {
  const gauge = createDepthGauge(countsAlone(all), clock);
  const hasRoom = async (limit: number) =>
    (await gauge.exceeded("maria", { all: limit, ofUser: 0 })) === undefined;
  return { ...gauge, hasRoom };
}

function gaugeOver(depth: { queued: number }) {
  const clock = manualClock(0);
  let reads = 0;
  const gauge = gaugeOfAll(async () => {
    reads += 1;
    return depth.queued;
  }, clock);
  return { gauge, clock, reads: () => reads };
}

describe("the depth of the queue", () => {
  test("is read once a second while the queue is far from full", async () => {
    const { gauge, clock, reads } = gaugeOver({ queued: 3 });
    for (let i = 0; i < MOST_PLACES; i += 1) expect(await gauge.hasRoom(90)).toBe(true);
    expect(reads()).toBe(1);
    clock.advance(1_000);
    await gauge.hasRoom(90);
    expect(reads()).toBe(2);
  });

  test("is not waited for where a reading of the last ten seconds is far from full", async () => {
    const clock = manualClock(0);
    const counts: PromiseWithResolvers<number>[] = [];
    const gauge = gaugeOfAll(() => {
      const count = Promise.withResolvers<number>();
      counts.push(count);
      return count.promise;
    }, clock);
    const first = gauge.hasRoom(90);
    await expect.poll(() => counts.length).toBe(1);
    counts[0]?.resolve(3);
    expect(await first).toBe(true);
    clock.advance(9_999);
    expect(await gauge.hasRoom(90)).toBe(true);
    expect(await gauge.hasRoom(90)).toBe(true);
    expect(counts).toHaveLength(2);
    counts[1]?.resolve(90);
    await expect.poll(() => counts.length).toBe(2);
    const full = gauge.hasRoom(90);
    counts[2]?.resolve(90);
    expect(await full).toBe(false);
  });

  test("is waited for where the last reading is older, and a failed one does not count", async () => {
    const clock = manualClock(0);
    let answer: () => Promise<number> = async () => 3;
    const gauge = gaugeOfAll(() => answer(), clock);
    await gauge.hasRoom(90);
    clock.advance(5_000);
    answer = async () => {
      throw new Error("the store is not reachable");
    };
    expect(await gauge.hasRoom(90)).toBe(true);
    clock.advance(5_000);
    await expect(gauge.hasRoom(90)).rejects.toThrow("not reachable");
    answer = async () => 90;
    expect(await gauge.hasRoom(90)).toBe(false);
  });

  test("is read every time from half the limit on, counting what was accepted here", async () => {
    const depth = { queued: 0 };
    const { gauge, reads } = gaugeOver(depth);
    for (let i = 0; i < 4; i += 1) {
      expect(await gauge.hasRoom(4)).toBe(true);
      depth.queued += 1;
      gauge.countAccepted();
    }
    expect(reads()).toBe(3);
    expect(await gauge.hasRoom(4)).toBe(false);
  });

  test("at the limit leaves no room, and room again once jobs were taken", async () => {
    const depth = { queued: 2 };
    const { gauge } = gaugeOver(depth);
    expect(await gauge.hasRoom(2)).toBe(false);
    depth.queued = 1;
    expect(await gauge.hasRoom(2)).toBe(true);
  });
});

describe("a user's part of the queue", () => {
  const asked: string[] = [];
  const gaugeOf = (all: number, users: Record<string, number>) =>
    createDepthGauge(
      countsAlone(
        async () => all,
        async (user) => {
          asked.push(user);
          return users[user] ?? 0;
        },
      ),
      manualClock(0),
    );

  test("is counted only where all users together have as much", async () => {
    const limits = { all: 100, ofUser: 20 };
    expect(await gaugeOf(19, { maria: 19 }).exceeded("maria", limits)).toBeUndefined();
    expect(asked).toEqual([]);
    const crowded = gaugeOf(40, { maria: 20, otto: 19 });
    expect(await crowded.exceeded("maria", limits)).toBe("ofUser");
    expect(await crowded.exceeded("otto", limits)).toBeUndefined();
    expect(asked).toEqual(["maria", "otto"]);
  });

  test("has no limit for unowned jobs, nor where it is switched off; the limit of all holds", async () => {
    const full = gaugeOf(50, { maria: 50 });
    expect(await full.exceeded(null, { all: 100, ofUser: 20 })).toBeUndefined();
    expect(await full.exceeded("maria", { all: 100, ofUser: 0 })).toBeUndefined();
    expect(await full.exceeded("maria", { all: 0, ofUser: 20 })).toBe("ofUser");
    expect(await full.exceeded(null, { all: 50, ofUser: 20 })).toBe("all");
  });
});
