import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Allowance, leaseOf, newAllowance } from "../../shared/domain/models/allowance.ts";
import { connectModelGate } from "../../shared/engine/model/connect-model-gate.ts";
import type { ModelGate } from "../../shared/engine/model/model-gate.ts";
import { readModel } from "../../shared/stores/models/model-item.ts";
import { startStores, type TestStores } from "../support/stores.ts";
import { watchedDb } from "../support/watched-db.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const T0_MS = 1_790_000_000_000;
/** A thousand tokens a second; 2,000 are there at first. */
const limit = { tokens_per_minute: 60_000 };
const log = { warn: () => undefined };
let now = T0_MS;
let models = 0;
let spec = "";
beforeEach(() => {
  now = T0_MS;
  spec = `openai:debts-${++models}`;
});
const clock = { now: () => now, sleep: async () => undefined };

function aWorker(db = stores.db): ModelGate {
  const settings = { MODEL: "scripted", MODEL_LIMITS: { [spec]: limit } };
  const gate = connectModelGate({ db, clock, log }, settings);
  if (!gate) throw new Error("nothing is shared");
  return gate;
}

const ask = (gate: ModelGate, tokens: number) =>
  gate.enter({ spec, account: "key", user_id: "maria", tokens: () => tokens, share: 0 });

async function used(gate: ModelGate, foreseen: number, tokens: number): Promise<void> {
  const entered = await ask(gate, foreseen);
  if (!entered.admitted) throw new Error("not admitted");
  await entered.ended({ was: "answered", tokens });
}

const left = async () => (await readModel(stores.db, spec, "key")).key.allowance?.tokens;

describe("tokens that a call used beyond what was foreseen", () => {
  test("are charged once, whoever asks at the same time", async () => {
    const gate = aWorker();
    await used(gate, 100, 400);
    await Promise.all([ask(gate, 10), ask(gate, 10), ask(gate, 10), ask(gate, 10)]);
    expect(await left()).toBe(2_000 - 400 - 40);
  });

  test("are charged later where they could not be written", async () => {
    let fails = false;
    const before = async (command: { constructor: { name: string } }) => {
      if (fails && command.constructor.name !== "QueryCommand") throw new Error("the store is down");
    };
    const gate = aWorker(watchedDb(stores.db, { before }));
    await used(gate, 100, 400);
    fails = true;
    expect((await ask(gate, 10)).admitted).toBe(true);
    fails = false;
    await ask(gate, 10);
    expect(await left()).toBe(2_000 - 400 - 10);
  });

  test("let the next call wait until they have come back, and no longer", async () => {
    const gate = aWorker();
    await used(gate, 100, 9_100);
    const entered = await ask(gate, 100);
    if (entered.admitted) throw new Error("admitted beyond the limit");
    expect(entered.until_ms - now).toBe(7_200);
    now = entered.until_ms;
    expect((await ask(gate, 100)).admitted).toBe(true);
  });

  test("are not counted where tokens have no limit", () => {
    const requests = { requests_per_minute: 600 };
    const asking = { user: "maria", holder: "a", tokens: 0, under_way: 0, owed: 50_000 };
    const leased = leaseOf(newAllowance(requests, now), requests, asking, now);
    expect(leased.next.tokens).toBe(0);
  });
});

/** Calls one after the other, each as soon as it may be made. @returns what was used and how long it took */
function played(calls: readonly { readonly foreseen: number; readonly used: number }[]) {
  let allowance: Allowance = newAllowance(limit, T0_MS);
  let atMs = T0_MS;
  let owed = 0;
  for (const { foreseen, used } of calls) {
    for (let tries = 0; ; tries += 1) {
      if (tries > 3) throw new Error("a call waits for ever");
      const asking = { user: "maria", holder: "a", tokens: foreseen, under_way: 0, owed };
      const leased = leaseOf(allowance, limit, asking, atMs);
      allowance = leased.next;
      owed = 0;
      if (leased.leased) break;
      atMs += leased.again_ms;
    }
    owed = used - foreseen;
  }
  return { seconds: (atMs - T0_MS) / 1000 };
}

test("over any calls the tokens used stay within the limit, but for those of the last call", () => {
  const amount = fc.integer({ min: 0, max: 12_000 });
  const calls = fc.array(fc.record({ foreseen: amount, used: amount }), { minLength: 2, maxLength: 40 });
  fc.assert(
    fc.property(calls, (made) => {
      const { seconds } = played(made);
      const before = made.slice(0, -1).reduce((sum, { used }) => sum + used, 0);
      expect(before).toBeLessThanOrEqual(2_000 + 1_000 * seconds);
    }),
    { numRuns: 500 },
  );
});
