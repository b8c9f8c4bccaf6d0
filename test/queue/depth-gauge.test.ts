import { describe, expect, test } from "vitest";
import { createDepthGauge } from "../../shared/queue/depth-gauge.ts";
import { manualClock } from "../support/manual-clock.ts";

function gaugeOver(depth: { queued: number }) {
  const clock = manualClock(0);
  let reads = 0;
  const gauge = createDepthGauge(async () => {
    reads += 1;
    return depth.queued;
  }, clock);
  return { gauge, clock, reads: () => reads };
}

describe("the depth of the queue", () => {
  test("is read once a second while the queue is far from full", async () => {
    const { gauge, clock, reads } = gaugeOver({ queued: 3 });
    for (let i = 0; i < 10; i += 1) expect(await gauge.hasRoom(100)).toBe(true);
    expect(reads()).toBe(1);
    clock.advance(1_000);
    await gauge.hasRoom(100);
    expect(reads()).toBe(2);
  });

  test("is not waited for where a reading of the last ten seconds is far from full", async () => {
    const clock = manualClock(0);
    const counts: PromiseWithResolvers<number>[] = [];
    const gauge = createDepthGauge(() => {
      const count = Promise.withResolvers<number>();
      counts.push(count);
      return count.promise;
    }, clock);
    const first = gauge.hasRoom(100);
    counts[0]?.resolve(3);
    expect(await first).toBe(true);
    clock.advance(9_999);
    expect(await gauge.hasRoom(100)).toBe(true);
    expect(await gauge.hasRoom(100)).toBe(true);
    expect(counts).toHaveLength(2);
    counts[1]?.resolve(100);
    await expect.poll(() => counts.length).toBe(2);
    const full = gauge.hasRoom(100);
    counts[2]?.resolve(100);
    expect(await full).toBe(false);
  });

  test("is waited for where the last reading is older, and a failed one does not count", async () => {
    const clock = manualClock(0);
    let answer: () => Promise<number> = async () => 3;
    const gauge = createDepthGauge(() => answer(), clock);
    await gauge.hasRoom(100);
    clock.advance(5_000);
    answer = async () => {
      throw new Error("the store is not reachable");
    };
    expect(await gauge.hasRoom(100)).toBe(true);
    clock.advance(5_000);
    await expect(gauge.hasRoom(100)).rejects.toThrow("not reachable");
    answer = async () => 100;
    expect(await gauge.hasRoom(100)).toBe(false);
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
