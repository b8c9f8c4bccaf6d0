import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import type { DepthStore } from "../../../shared/domain/jobs/queue-depth.ts";
import { createDepthGauge, intervalOf, MOST_PLACES } from "../../../shared/queue/depth-gauge.ts";
import { depthIn } from "../../../shared/stores/jobs/depth-reading.ts";
import { manualClock } from "../../support/manual-clock.ts";
import { startStores } from "../../support/stores.ts";

const stores = await startStores();
afterAll(() => stores.stop());
let made = 0;

/** Processes that accept runs into one queue. What is in it is a number here; the reading that they share is stored. */
function aQueue(queued: number) {
  made += 1;
  const suffix = `queue-${made}`;
  const clock = manualClock(1_000_000);
  const inDb = depthIn(stores.db);
  const keyOf = (of: string | null) => `${suffix} ${of}`;
  const state = { queued, of: new Map<string | null, number>(), counts: 0, writes: 0 };
  const store: DepthStore = {
    async count(of) {
      state.counts += 1;
      return of === null ? state.queued : (state.of.get(of) ?? 0);
    },
    read: (of) => inDb.read(keyOf(of)),
    take(of, ...rest) {
      state.writes += 1;
      return inDb.take(keyOf(of), ...rest);
    },
    begin: (of, ...rest) => inDb.begin(keyOf(of), ...rest),
    record: (of, ...rest) => inDb.record(keyOf(of), ...rest),
  };
  const aProcess = (limits: { all: number; ofUser: number }) => {
    const gauge = createDepthGauge(store, clock);
    return async (user: string | null = null) => {
      const exceeded = await gauge.exceeded(user, limits);
      if (exceeded) return exceeded;
      gauge.countAccepted();
      state.queued += 1;
      state.of.set(user, (state.of.get(user) ?? 0) + 1);
      return "accepted";
    };
  };
  return { state, clock, aProcess };
}

describe("a queue with many jobs", () => {
  test("is counted once for a second's submissions of all processes", async () => {
    const { state, aProcess } = aQueue(5_000);
    const limits = { all: 100_000, ofUser: 0 };
    const processes = Array.from({ length: 4 }, () => aProcess(limits));
    for (let i = 0; i < 100; i += 1) for (const submit of processes) expect(await submit()).toBe("accepted");
    expect(state.counts).toBe(1);
    expect(state.writes).toBe(4 * Math.ceil(100 / MOST_PLACES));
  });

  test("is counted more seldom the longer it is, and by one process", async () => {
    const { state, clock, aProcess } = aQueue(300_000);
    const limits = { all: 1_000_000, ofUser: 0 };
    const processes = Array.from({ length: 8 }, () => aProcess(limits));
    const all = () => Promise.all(processes.map((submit) => submit()));
    await processes[0]?.();
    await all();
    expect(intervalOf(300_000)).toBe(30_000);
    for (let seconds = 0; seconds < 29; seconds += 1) {
      clock.advance(1_000);
      await all();
    }
    expect(state.counts).toBe(1);
    clock.advance(2_000);
    await all();
    expect(state.counts).toBe(2);
  });

  test("that is full refuses without a count and without a write, and has room after the next count", async () => {
    const { state, clock, aProcess } = aQueue(1_000);
    const submit = aProcess({ all: 1_000, ofUser: 0 });
    for (let i = 0; i < 50; i += 1) expect(await submit()).toBe("all");
    expect(state).toMatchObject({ counts: 1, writes: 0 });
    state.queued = 990;
    clock.advance(1_001);
    expect(await submit()).toBe("accepted");
  });

  test("fills to the limit exactly when one process fills it", async () => {
    const { state, aProcess } = aQueue(400);
    const submit = aProcess({ all: 1_000, ofUser: 0 });
    while ((await submit()) === "accepted");
    expect(state.queued).toBe(1_000);
  });

  test("refuses one user who has as many as one may have, who takes no place of the others", async () => {
    const { state, aProcess } = aQueue(1_000);
    state.of.set("maria", 180);
    const submit = aProcess({ all: 1_100, ofUser: 200 });
    for (let i = 0; i < 20; i += 1) expect(await submit("maria")).toBe("accepted");
    for (let i = 0; i < 200; i += 1) expect(await submit("maria")).toBe("ofUser");
    for (let i = 0; i < 80; i += 1) expect(await submit("otto")).toBe("accepted");
    expect(await submit("otto")).toBe("all");
  });

  test("that emptied is counted by each process again", async () => {
    const { state, clock, aProcess } = aQueue(1_000);
    const submit = aProcess({ all: 10_000, ofUser: 0 });
    await submit();
    state.queued = 3;
    clock.advance(1_001);
    await submit();
    const { writes } = state;
    for (let i = 0; i < 5; i += 1) expect(await submit()).toBe("accepted");
    expect(state.writes).toBe(writes);
  });

  test("whose counting process died is counted by another one", async () => {
    const { state, clock, aProcess } = aQueue(1_000);
    const limits = { all: 1_000, ofUser: 0 };
    await aProcess(limits)();
    const read = await depthIn(stores.db).read(`queue-${made} null`);
    if (!read) throw new Error("no reading was stored");
    clock.advance(1_001);
    await depthIn(stores.db).begin(`queue-${made} null`, read, clock.now());
    state.queued = 500;
    const submit = aProcess(limits);
    expect(await submit()).toBe("all");
    clock.advance(30_001);
    expect(await submit()).toBe("accepted");
  });
});

test("what waits exceeds the limit by at most so many for each process", async () => {
  const step = fc.record({
    process: fc.nat(3),
    submissions: fc.integer({ min: 1, max: 10 }),
    taken: fc.nat(40),
    passes: fc.constantFrom(0, 0, 100, 1_001, 3_000, 70_000),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 400 }),
      fc.integer({ min: 2, max: 400 }),
      fc.array(step, { minLength: 5, maxLength: 15 }),
      async (queued, all, steps) => {
        const { state, clock, aProcess } = aQueue(Math.min(queued, all));
        const processes = Array.from({ length: 4 }, () => aProcess({ all, ofUser: 0 }));
        for (const { process, submissions, taken, passes } of steps) {
          const submit = processes[process];
          await Promise.all(Array.from({ length: submissions }, () => submit?.()));
          expect(state.queued).toBeLessThanOrEqual(all + processes.length * MOST_PLACES);
          state.queued = Math.max(0, state.queued - taken);
          clock.advance(passes);
        }
      },
    ),
    { numRuns: 20 },
  );
});
