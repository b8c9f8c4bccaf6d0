import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { connectModelGate } from "../../shared/engine/model/connect-model-gate.ts";
import type { CallResult, Entered, ModelGate } from "../../shared/engine/model/model-gate.ts";
import type { Db } from "../../shared/stores/db.ts";
import { startStores, type TestStores } from "../support/stores.ts";
import { watchedDb } from "../support/watched-db.ts";
import { eventsOf, runAgent } from "./support/run-agent.ts";
import { agentWith, known, lookingUp, strictModel, WINDOW, withStore } from "./support/strict-model.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const log = { warn: () => undefined };
let now = 0;
let models = 0;
let spec = "";
beforeEach(() => {
  now = 1_790_000_000_000;
  spec = `openai:model-${++models}`;
});
const clock = { now: () => now, sleep: async () => undefined };

function aWorker(db: Db = stores.db): ModelGate {
  const gate = connectModelGate({ db, clock, log }, { MODEL: "scripted" });
  if (!gate) throw new Error("nothing is shared");
  return gate;
}
const entering = (gate: ModelGate, share = 0, account = "key"): Promise<Entered> =>
  gate.enter({ spec, account, user_id: "maria", tokens: () => 100, share });

/** Makes a call and ends it so; not where it may not be made. */
async function call(gate: ModelGate, result: CallResult): Promise<boolean> {
  const entered = await entering(gate);
  if (entered.admitted) await entered.ended(result);
  return entered.admitted;
}
const down = { was: "unavailable" } as const;
const fine = { was: "answered", tokens: 10 } as const;

/** A model whose breaker five failures of two workers have opened. */
async function opened(): Promise<readonly [ModelGate, ModelGate]> {
  const [a, b] = [aWorker(), aWorker()];
  for (const worker of [a, b, a, b, a]) await call(worker, down);
  return [a, b];
}

describe("the breaker of a model", () => {
  test("opens for all workers after five failures of two of them, for 30 seconds", async () => {
    const until_ms = now + 30_000;
    const [a, b] = await opened();
    const shut = { admitted: false, because: "unavailable", until_ms };
    expect(await entering(a)).toEqual(shut);
    now += 1_000; // what the other one has read counts for a second
    expect(await entering(b)).toEqual(shut);
    expect(await entering(aWorker())).toEqual(shut);
  });

  test("counts only failures of one minute, whatever answers come between", async () => {
    const worker = aWorker();
    for (let n = 0; n < 4; n += 1) await call(worker, down);
    await call(worker, fine);
    now += 60_001;
    for (let n = 0; n < 4; n += 1) expect(await call(worker, down)).toBe(true);
    expect(await call(worker, down)).toBe(true);
    expect(await call(worker, fine)).toBe(false);
  });

  test("lets one of 20 workers try, and closes for all where that is answered", async () => {
    await opened();
    now += 30_000;
    const entered = await Promise.all(Array.from({ length: 20 }, () => entering(aWorker())));
    const probes = entered.filter(({ admitted }) => admitted);
    expect(probes).toHaveLength(1);
    for (const other of entered) {
      if (!other.admitted)
        expect(other).toEqual({ admitted: false, because: "unavailable", until_ms: now + 10_000 });
    }
    const [probe] = probes;
    if (probe?.admitted) await probe.ended(fine);
    expect(await call(aWorker(), fine)).toBe(true);
    expect(await call(aWorker(), fine)).toBe(true);
  });

  test("stays open twice as long after each failed try, and 300 seconds at most", async () => {
    await opened();
    for (const seconds of [30, 60, 120, 240, 300, 300]) {
      now += seconds * 1000 - 1;
      expect(await call(aWorker(), fine)).toBe(false);
      now += 1;
      expect(await call(aWorker(), down)).toBe(true);
    }
  });

  test("closes with the first part of an answer, and is tried again where the process that tried has died", async () => {
    await opened();
    now += 30_000;
    await entering(aWorker());
    now += 89_999;
    expect(await call(aWorker(), fine)).toBe(false);
    now += 1;
    const probe = await entering(aWorker());
    expect(probe.admitted).toBe(true);
    if (probe.admitted) probe.begun();
    await expect.poll(async () => (await entering(aWorker())).admitted).toBe(true);
  });
});

describe("a service that asks to slow down", () => {
  const throttled = (after_seconds?: number): CallResult => ({ was: "throttled", after_seconds });

  test("is called by no worker before the instant that it names, then one after the other", async () => {
    const [a, b] = [aWorker(), aWorker()];
    await call(a, throttled(20));
    expect(await entering(b, 0)).toEqual({ admitted: false, because: "rate_limit", until_ms: now + 20_000 });
    expect(await entering(b, 0.5)).toMatchObject({ until_ms: now + 22_500 });
    now += 20_000;
    expect((await entering(b, 0)).admitted).toBe(true);
    expect((await entering(b, 0.5)).admitted).toBe(false);
  });

  test("is asked again after two seconds, then after twice as long, where it names none", async () => {
    for (const seconds of [2, 4, 8]) {
      expect(await call(aWorker(), throttled())).toBe(true);
      expect(await entering(aWorker())).toMatchObject({ until_ms: now + seconds * 1000 });
      now += seconds * 1000;
    }
    now += 60_001;
    await call(aWorker(), throttled());
    expect(await entering(aWorker())).toMatchObject({ until_ms: now + 2_000 });
  });

  test("doubles once for calls that were under way together", async () => {
    const entered = await Promise.all(Array.from({ length: 8 }, () => entering(aWorker())));
    now += 500;
    for (const one of entered) if (one.admitted) await one.ended(throttled());
    expect(await entering(aWorker())).toMatchObject({ until_ms: now + 2_000 });
  });

  test("is called with another key all the same", async () => {
    await call(aWorker(), throttled(20));
    expect((await entering(aWorker(), 0, "other")).admitted).toBe(true);
  });
});

describe("what a call costs", () => {
  /** The same store, whose requests are counted. */
  function counted() {
    const requests: string[] = [];
    const before = async (sent: { constructor: { name: string } }) => requests.push(sent.constructor.name);
    return { db: watchedDb(stores.db, { before }), requests };
  }

  test("is one read for a model that works, once a second, and no write", async () => {
    const { db, requests } = counted();
    const worker = aWorker(db);
    for (let n = 0; n < 10; n += 1) await call(worker, fine);
    expect(requests).toEqual(["QueryCommand"]);
    now += 1_000;
    await call(worker, fine);
    expect(requests).toEqual(["QueryCommand", "QueryCommand"]);
  });

  test("is nothing where the store is down: calls are made all the same", async () => {
    const before = async () => {
      throw new Error("the store is down");
    };
    const worker = aWorker(watchedDb(stores.db, { before }));
    for (let n = 0; n < 6; n += 1) expect(await call(worker, down)).toBe(true);
  });
});

test("a refusal to cache is known to all workers for as long as it is noted", async () => {
  await aWorker().noteRefusedMarks(spec, now + 3_600_000);
  expect(await entering(aWorker())).toMatchObject({ marks_refused_until: now + 3_600_000 });
});

describe("how many tokens a service takes", () => {
  /** A run of 20 calls, whose prompt gets longer than the window. @param configured what the operator has set */
  async function aLongRun(modelGate: ModelGate, configured?: number) {
    const { models, refused } = strictModel(lookingUp(20), Math.min(WINDOW, configured ?? WINDOW));
    const agent = { ...agentWith(1_900), model: spec };
    const run = await runAgent(
      "go",
      withStore({
        agent,
        models: { ...known(models, configured), resolve: () => models.resolve() },
        modelGate,
      }),
    );
    expect(run.outcome.output.status).toBe("COMPLETED");
    return { refused, run, context: run.outcome.output.metrics?.additional_metrics?.context };
  }

  test("is learned by the refusal of one worker's call, and known to the runs of others", async () => {
    expect((await aLongRun(aWorker())).refused).toHaveLength(1);
    const { refused, run, context } = await aLongRun(aWorker());
    expect(refused).toEqual([]);
    expect(context?.learned).toEqual({ [spec]: WINDOW });
    expect(eventsOf(run, "CompactionCompleted").length).toBeGreaterThan(0);
  });

  test("never counts beyond what is configured, and for seven days", async () => {
    const worker = aWorker();
    await worker.noteWindow(spec, WINDOW);
    expect((await aLongRun(aWorker(), 4_096)).context?.learned).toBeUndefined();
    now += 7 * 86_400_000 - 1;
    expect(await aWorker().learnedWindow(spec, "key")).toBe(WINDOW);
    now += 1;
    expect(await aWorker().learnedWindow(spec, "key")).toBeUndefined();
  });

  test("is learned anew by each run where the store is down", async () => {
    const before = async () => {
      throw new Error("the store is down");
    };
    const worker = aWorker(watchedDb(stores.db, { before }));
    expect((await aLongRun(worker)).refused).toHaveLength(1);
    expect((await aLongRun(worker)).refused).toHaveLength(1);
  });
});
