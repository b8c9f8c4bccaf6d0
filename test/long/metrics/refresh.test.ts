import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startRefresh } from "../../../functions/metrics/start-refresh.ts";
import { isRefreshDue, lastFinalDay } from "../../../shared/domain/metrics/refresh-rules.ts";
import { startOfDay, utcDay } from "../../../shared/domain/utc-day.ts";
import type { StoredMetricsDay } from "../../../shared/stores/metrics/day-item.ts";
import { removeSessions } from "../../../shared/stores/sessions/remove-sessions.ts";
import {
  aConversation,
  type Conversation,
  everybody,
  keep,
  metricsWorld,
} from "../../metrics/metrics-world.ts";
import { slowFigures } from "../../metrics/slow-oracle.ts";
import { breakingDb } from "../../support/breaking-db.ts";
import { startStores, type TestStores } from "../../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const DAY = 86_400;
const HOUR = 3_600;
/** Each test has ten days of its own, later than those before: everybody's figures are one store's. */
let midnight = startOfDay("2024-02-27");
beforeEach(() => {
  midnight += 10 * DAY;
});
const at = (days: number, hours = 0) => midnight + days * DAY + hours * HOUR;
const world = (now: number) => metricsWorld(stores.db, now);

/** What a day says, without when it was said. */
const figuresOf = ({
  day: _,
  refresh_id: _r,
  created_at: _c,
  updated_at: _u,
  component_metrics: _m,
  user_metrics: _s,
  evaluation_metrics: _e,
  feedback_metrics: _f,
  ...figures
}: StoredMetricsDay) => figures;
const since = (days: readonly StoredMetricsDay[]) => days.filter(({ day }) => day >= utcDay(midnight));

describe("figures", () => {
  const conversation = fc.record({
    days: fc.nat(3),
    seconds: fc.nat(DAY - 1),
    session_type: fc.constantFrom("agent" as const, "team" as const, "workflow" as const),
    user_id: fc.constantFrom("maria", "otto", "o#t%to", null),
    tokens: fc.nat(5_000),
    runs: fc.array(
      fc.record({
        model: fc.constantFrom("small-1", "large-1", undefined),
        tokens: fc.nat(1_000),
        cost: fc.constantFrom(undefined, 0.1, 0.000_000_3, 1.7),
      }),
      { maxLength: 4 },
    ),
  });

  test("are those of a slow count, by day and by user, and the same when they are computed again", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(conversation, { maxLength: 12 }), async (drawn) => {
        midnight += 10 * DAY;
        const all = drawn.map(({ days, seconds, session_type, user_id, tokens, runs }) =>
          aConversation(
            {
              session_type,
              user_id,
              created_at: at(days) + seconds,
              input_tokens: tokens,
              output_tokens: 2 * tokens,
              total_tokens: 3 * tokens,
              reasoning_tokens: tokens % 7,
            },
            runs,
          ),
        );
        await keep(stores.db, all);
        const { refresh } = world(at(3, 23.9));
        for (const scope of [everybody, { user_id: "o#t%to" }]) {
          const mine = all.filter(
            ({ session }) => scope.user_id === undefined || session.user_id === scope.user_id,
          );
          const days = since(await refresh(scope));
          const expected = [0, 1, 2, 3].flatMap((n) => slowFigures(mine, utcDay(at(n))) ?? []);
          expect(days.map(figuresOf)).toEqual(expected);
          expect(since(await refresh(scope)).map(figuresOf)).toEqual(expected);
        }
      }),
      { numRuns: 12, seed: 71_023 },
    );
  });

  test("of a session without an owner count for no user", async () => {
    await keep(stores.db, [aConversation({ created_at: at(0), user_id: null }, [{ model: "small-1" }])]);
    const { refresh } = world(at(0, 1));
    expect(since(await refresh())).toMatchObject([
      { agent_sessions_count: 1, agent_runs_count: 1, users_count: 0 },
    ]);
  });
});

describe("a day", () => {
  const one = (created_at: number, runs = 1): Conversation =>
    aConversation(
      { created_at },
      Array.from({ length: runs }, () => ({ model: "small-1" })),
    );
  const runsBy = async (refreshed: Promise<StoredMetricsDay[]>) =>
    since(await refreshed).map(({ day, agent_runs_count }) => [day, agent_runs_count]);

  test("counts what runs today in a session of yesterday as long as yesterday is not final", async () => {
    const yesterdays = one(at(0, 20));
    await keep(stores.db, [yesterdays]);
    const { refresh, setTime } = world(at(0, 21));
    expect(await runsBy(refresh())).toEqual([[utcDay(at(0)), 1]]);
    const later = aConversation(yesterdays.session, [{ model: "small-1" }, { model: "small-1" }]);
    await keep(stores.db, [later]);
    setTime(at(1, 0.5));
    expect(await runsBy(refresh())).toEqual([[utcDay(at(0)), 3]]);
  });

  test("is final once it was computed an hour after its end: what comes later is missed, and it keeps its figures", async () => {
    const old = one(at(0, 20));
    await keep(stores.db, [old]);
    const { refresh, setTime } = world(at(1, 1.5));
    await refresh();
    await keep(stores.db, [aConversation(old.session, [{ model: "small-1" }]), one(at(1, 2))]);
    await removeSessions(stores.db, [old.session.session_id], () => true, at(1, 2));
    setTime(at(1, 3));
    expect(await runsBy(refresh())).toEqual([
      [utcDay(at(0)), 1],
      [utcDay(at(1)), 1],
    ]);
  });

  test("that is not final forgets sessions that were removed, and goes with the last of them", async () => {
    const [first, second] = [one(at(0, 1)), one(at(0, 2))];
    await keep(stores.db, [first, second]);
    const { refresh } = world(at(0, 3));
    await refresh();
    const remove = ({ session }: Conversation) =>
      removeSessions(stores.db, [session.session_id], () => true, at(0, 4));
    await remove(first);
    expect(await runsBy(refresh())).toEqual([[utcDay(at(0)), 1]]);
    await remove(second);
    expect(await runsBy(refresh())).toEqual([]);
  });

  test("keeps when it was computed first", async () => {
    await keep(stores.db, [one(at(0, 1))]);
    const { refresh, setTime } = world(at(0, 2));
    await refresh();
    setTime(at(0, 5));
    expect(since(await refresh())).toMatchObject([{ created_at: at(0, 2), updated_at: at(0, 5) }]);
  });

  test("without sessions has no record", async () => {
    await keep(stores.db, [one(at(0)), one(at(3))]);
    const { refresh } = world(at(3, 1));
    expect(await runsBy(refresh())).toEqual([
      [utcDay(at(0)), 1],
      [utcDay(at(3)), 1],
    ]);
  });
});

describe("a refresh", () => {
  const three = () =>
    [0, 1, 2].map((days) => aConversation({ created_at: at(days, 1) }, [{ model: "small-1" }]));

  test("whose process dies at any write leaves whole days, and its call made again does the rest", async () => {
    for (let write = 1; write <= 8; write += 1) {
      for (const when of ["before", "after"] as const) {
        midnight += 10 * DAY;
        const conversations = three();
        await keep(stores.db, conversations);
        const { ask, calls, work, days, state } = world(at(2, 2));
        await ask();
        const [call] = calls;
        await work({ db: breakingDb(stores.db, write, when).db }).catch(() => undefined);
        if (call) calls.push(call);
        await work();
        expect((await state())?.status).toBe("completed");
        expect(since(await days()).map(figuresOf)).toEqual(
          [0, 1, 2].map((n) => slowFigures(conversations, utcDay(at(n)))),
        );
      }
    }
  });

  test("whose call was lost is begun again after a minute, and not before", async () => {
    const { ask, calls, setTime, now, work, state } = world(at(0, 1));
    expect(await ask()).toBeDefined();
    calls.length = 0;
    expect(await ask()).toBeUndefined();
    setTime(now() + 61);
    expect(await ask()).toBeDefined();
    await work();
    expect((await state())?.status).toBe("completed");
  });

  test("that is called twice is worked once", async () => {
    const { ask, calls, work, state } = world(at(0, 1));
    await ask();
    calls.push(...calls);
    await work();
    const first = await state();
    expect(first?.status).toBe("completed");
    await ask();
    calls.unshift({ refresh_id: first?.refresh_id ?? "" });
    await work();
    expect((await state())?.refresh_id).not.toBe(first?.refresh_id);
  });

  test("that meets an outage says so, and the next one goes on", async () => {
    await keep(stores.db, three());
    const { ask, work, errors, refresh, state } = world(at(2, 2));
    await ask();
    const failing = { ...stores.db, tables: { ...stores.db.tables, runs: "no-such-table" } };
    await expect(work({ db: failing })).rejects.toThrow();
    expect(await state()).toMatchObject({
      status: "failed",
      error: expect.stringMatching(/log of the housekeeper/),
    });
    expect(errors).toEqual(["metrics could not be refreshed"]);
    expect(since(await refresh())).toHaveLength(3);
  });

  test("that has no time for another day begins none, says so, and what it computed stays", async () => {
    await keep(stores.db, three());
    const { ask, work, refresh, state } = world(at(2, 2));
    await ask();
    await work({ lifeMs: 59_000 });
    expect(await state()).toMatchObject({
      status: "failed",
      error: expect.stringMatching(/more to compute/),
    });
    expect(since(await refresh())).toHaveLength(3);
  });

  test("that the refresher cannot be called for has failed at once", async () => {
    const { routeDeps, state } = world(at(0, 1));
    const unreachable = { ...routeDeps, callRefresher: () => Promise.reject(new Error("no function")) };
    await expect(startRefresh(unreachable, everybody)).rejects.toThrow("no function");
    expect(await state()).toMatchObject({ status: "failed" });
  });
});

describe("the rules", () => {
  test("a day is final an hour after its end", () => {
    expect(lastFinalDay(startOfDay("2026-03-05") + HOUR - 1)).toBe("2026-03-03");
    expect(lastFinalDay(startOfDay("2026-03-05") + HOUR)).toBe("2026-03-04");
  });

  test.each([
    ["never refreshed", undefined, true],
    ["refreshed a moment ago", { started_at: 950, finished_at: 951 }, false],
    ["refreshed a minute ago", { started_at: 930, finished_at: 932 }, true],
    ["refreshed a minute ago, which took ten seconds", { started_at: 920, finished_at: 930 }, false],
    ["refreshed long ago, which took ten seconds", { started_at: 700, finished_at: 710 }, true],
    ["being refreshed", { started_at: 900, busy_until: 1_500 }, false],
    ["left by a process that is gone", { started_at: 100, busy_until: 900 }, true],
  ])("figures that were %s", (_, last, isDue) => {
    expect(isRefreshDue(last, 1_000)).toBe(isDue);
  });
});
