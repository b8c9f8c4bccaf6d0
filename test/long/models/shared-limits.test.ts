import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ModelLimit } from "../../../shared/domain/models/allowance.ts";
import { connectModelGate } from "../../../shared/engine/model/connect-model-gate.ts";
import type { CallResult } from "../../../shared/engine/model/model-gate.ts";
import { startStores, type TestStores } from "../../support/stores.ts";
import { virtualClock } from "../../support/virtual-clock.ts";
import { watchedDb } from "../../support/watched-db.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const T0_MS = 1_790_000_000_000;
const WORKERS = 8;
const log = { warn: () => undefined };
let models = 0;
let spec = "";
beforeEach(() => {
  spec = `openai:shared-${++models}`;
});

type Called = { readonly at: number; readonly user: string };
type Played = {
  readonly seconds: number;
  readonly limit?: ModelLimit;
  readonly users?: readonly string[];
  /** How the service answers the call that begins then. @param at seconds since the beginning */
  readonly answer?: (at: number, nth: number) => CallResult;
  readonly db?: TestStores["db"];
};

/** Eight workers that call a model as often as they may, on a clock of their own and with the real store. */
async function played({
  seconds,
  limit,
  users = ["maria"],
  answer = () => ({ was: "answered", tokens: 100 }),
  db = stores.db,
}: Played): Promise<readonly Called[]> {
  const clock = virtualClock(T0_MS);
  const endsAt = T0_MS + seconds * 1000;
  const calls: Called[] = [];
  const worker = (number: number) => async () => {
    const MODEL_LIMITS = limit && { [spec]: limit };
    const gate = connectModelGate({ db, clock, log }, { MODEL: "scripted", MODEL_LIMITS });
    if (!gate) throw new Error("nothing is shared");
    const user = users[number % users.length] ?? "";
    const share = number / WORKERS;
    while (clock.now() < endsAt) {
      const entered = await gate.enter({ spec, account: "key", user_id: user, tokens: () => 100, share });
      if (!entered.admitted) {
        await clock.sleep(Math.max(1, entered.until_ms - clock.now()));
        continue;
      }
      const at = (clock.now() - T0_MS) / 1000;
      const result = answer(at, calls.push({ at, user }) - 1);
      await clock.sleep(190 + number);
      await entered.ended(result);
    }
  };
  await clock.play(Array.from({ length: WORKERS }, (_, number) => worker(number)));
  return calls;
}

const within = (calls: readonly Called[], from: number, to: number) =>
  calls.filter(({ at }) => at >= from && at < to);

describe("a service that asks one of eight workers to slow down", () => {
  test("is called by none before the instant, and by no herd after it", async () => {
    let blockedAt = Number.NaN;
    const calls = await played({
      seconds: 40,
      answer: (at) => {
        if (at < 5 || !Number.isNaN(blockedAt)) return { was: "answered", tokens: 100 };
        blockedAt = at + 0.19;
        return { was: "throttled", after_seconds: 20 };
      },
    });
    // What a worker has read counts for a second.
    expect(within(calls, blockedAt + 1.2, blockedAt + 20)).toEqual([]);
    const after = within(calls, blockedAt + 20, Number.POSITIVE_INFINITY);
    expect(after.length).toBeGreaterThan(50);
    // Eight workers start spread over five seconds.
    const first = after.filter(({ at }) => at < blockedAt + 21).length;
    const everyWorkerAtOnce = WORKERS * 5;
    expect(first).toBeLessThan(everyWorkerAtOnce / 2);
    expect(within(calls, blockedAt + 20, blockedAt + 20.5).length).toBeLessThanOrEqual(4);
  });
});

describe("a model with limits of its own", () => {
  test("is asked 60 times a minute at most by eight workers", async () => {
    const calls = await played({ seconds: 60, limit: { requests_per_minute: 60 } });
    expect(calls.length).toBeLessThanOrEqual(66);
    expect(calls.length).toBeGreaterThanOrEqual(50);
  });

  test("is asked half as often after it was throttled, then more again", async () => {
    const calls = await played({
      seconds: 80,
      limit: { requests_per_minute: 240 },
      answer: (_, nth) =>
        nth === 20 ? { was: "throttled", after_seconds: 1 } : { was: "answered", tokens: 100 },
    });
    const slow = within(calls, 8, 14).length / 6;
    const later = within(calls, 66, 78).length / 12;
    expect(slow).toBeLessThan(2.6);
    expect(later).toBeGreaterThan(3.2);
  });

  test("gives one user half of it while others wait", async () => {
    const calls = await played({
      seconds: 40,
      limit: { requests_per_minute: 60 },
      users: ["maria", "maria", "maria", "maria", "maria", "maria", "maria", "otto"],
    });
    const settled = within(calls, 10, 40);
    const share = settled.filter(({ user }) => user === "otto").length / settled.length;
    expect(share).toBeGreaterThan(0.35);
  });

  test("is called all the same where the store is down", async () => {
    const before = async () => {
      throw new Error("the store is down");
    };
    const db = watchedDb(stores.db, { before });
    const calls = await played({ seconds: 2, limit: { requests_per_minute: 60 }, db });
    expect(calls.length).toBeGreaterThan(60);
  });
});
