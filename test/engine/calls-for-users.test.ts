import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { connectModelGate } from "../../shared/engine/model/connect-model-gate.ts";
import { createModels } from "../../shared/engine/model/create-models.ts";
import type { ModelGate } from "../../shared/engine/model/model-gate.ts";
import type { DailyBudgets, Spending } from "../../shared/engine/ports/budget-port.ts";
import { answerWithinBudget } from "../../shared/engine/turn/answer-within-budget.ts";
import { type HostileModel, startHostileModel } from "../support/hostile-model/start-hostile-model.ts";
import type { Reply } from "../support/hostile-model/turn.ts";
import { startStores, type TestStores } from "../support/stores.ts";

/** Calls outside of runs: names, summaries, verdicts. They know of a model what all workers know, and add what they learn. */
let stores: TestStores;
let hostile: HostileModel;
beforeAll(async () => {
  [stores, hostile] = await Promise.all([startStores(), startHostileModel()]);
});
afterAll(() => Promise.all([stores.stop(), hostile.stop()]));

let now = 0;
let tests = 0;
let spec = "";
let helper = "";
beforeEach(() => {
  now = 1_790_000_000_000;
  tests += 1;
  spec = `openai-compatible:asked-${tests}`;
  helper = `openai-compatible:helps-${tests}`;
});
const clock = {
  now: () => now,
  sleep: async (ms: number) => {
    now += ms;
  },
};
const log = { warn: () => undefined };
const signal = new AbortController().signal;

function aCaller(replies: readonly Reply[], dailyBudgets: DailyBudgets = async () => undefined) {
  const name = `plan-calls-${tests}`;
  const { requests } = hostile.plan(name, replies);
  const models = createModels({ ...hostile.environment, MODEL: spec });
  const modelGate = connectModelGate({ db: stores.db, clock, log }, { MODEL: spec });
  if (!modelGate) throw new Error("nothing is shared");
  const options = { prompt: [{ role: "user" as const, content: [{ type: "text" as const, text: name }] }] };
  const needs = { models, dailyBudgets, clock, modelGate };
  return {
    modelGate,
    asked: () => requests.map(({ body }) => body.model),
    ask: (by?: string) =>
      answerWithinBudget(needs, { spec, helper: by, user_id: "maria", key: "name#1", options }, signal),
  };
}

/** Another worker sees the model fail, or its service ask to slow down. */
async function seen(
  gate: ModelGate,
  times: number,
  result: { was: "unavailable" } | { was: "throttled"; after_seconds: number },
  of = spec,
): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    const entered = await gate.enter({ spec: of, account: "none", user_id: null, tokens: () => 1, share: 0 });
    if (entered.admitted) await entered.ended(result);
  }
}
const down = { was: "unavailable" } as const;
const five: Reply = { text: ["Five."] };
const failing: Reply = { fails: { kind: "status", status: 503, message: "status 503" } };

describe("a call for a user outside of a run", () => {
  test("is not made while the breaker of its model is open: 503, and when to come back", async () => {
    const { ask, asked, modelGate } = aCaller([five]);
    await seen(modelGate, 5, down);
    await expect(ask()).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringContaining("30 s"),
      headers: { "retry-after": "30" },
    });
    expect(asked()).toEqual([]);
    now += 30_000;
    expect((await ask()).text).toBe("Five.");
  });

  test("waits ten seconds at most for a service that asks to slow down, else it is 429", async () => {
    const { ask, asked, modelGate } = aCaller([five]);
    await seen(modelGate, 1, { was: "throttled", after_seconds: 5 });
    const began = now;
    expect((await ask()).text).toBe("Five.");
    expect(now - began).toBeGreaterThanOrEqual(5_000);
    await seen(modelGate, 1, { was: "throttled", after_seconds: 120 });
    await expect(ask()).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS" });
    expect(asked()).toHaveLength(1);
  });

  test("goes to the other model where that of the helper is closed, for either reason", async () => {
    const { ask, asked, modelGate } = aCaller([five, five]);
    await seen(modelGate, 5, down, helper);
    expect((await ask(helper)).text).toBe("Five.");
    now += 60_000;
    await seen(modelGate, 1, { was: "throttled", after_seconds: 300 }, helper);
    expect((await ask(helper)).text).toBe("Five.");
    expect(asked()).toEqual([`asked-${tests}`, `asked-${tests}`]);
  });

  test("that fails counts for all workers: the fifth opens the breaker", async () => {
    const { ask, asked, modelGate } = aCaller(Array.from({ length: 6 }, () => failing));
    for (let n = 0; n < 5; n += 1) await ask().catch(() => undefined);
    expect(asked()).toHaveLength(5);
    await expect(ask()).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(asked()).toHaveLength(5);
    const other = { spec, account: "none", user_id: "otto", tokens: () => 1, share: 0 };
    expect(await modelGate.enter(other)).toMatchObject({ admitted: false, because: "unavailable" });
  });

  test("costs nothing where it is not made", async () => {
    const settled: Spending[] = [];
    const settle = async (spent: Spending) => void settled.push(spent);
    const reserve = async () => ({ granted: true as const, settle });
    const { ask, modelGate } = aCaller([five], async () => ({ reserve }));
    await seen(modelGate, 5, down);
    await ask().catch(() => undefined);
    expect(settled).toEqual([{ tokens: 0, cost: 0 }]);
  });
});
