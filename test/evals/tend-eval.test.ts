import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { breakingDb } from "../support/breaking-db.ts";
import { type EvalWorld, evalWorld } from "../support/eval-world.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const LEASE_MS = 61_000;
const verdict = (score: number) => `[[answer:{"score":${score},"reason":"so"}]]`;

/** Three cases, none like another: each input shows whose run a model was asked for. */
let made = 0;
const threeCases = () => {
  made += 1;
  const inputs = ["one", "two", "three"].map((name) => `${name} of ${made}`);
  const cases = inputs.map((input, i) => ({ input, expected_output: verdict(i + 4) }));
  return { inputs, body: { eval_type: "accuracy", cases } };
};

const ends = (process: Promise<unknown>): Promise<boolean> =>
  process.then(
    () => true,
    () => false,
  );

/** Which of the inputs have been run to their end by now. */
async function finished(world: EvalWorld, id: string, inputs: readonly string[]): Promise<string[]> {
  const runs = await Promise.all(inputs.map((_, i) => world.run(id, i)));
  return inputs.filter((_, i) => runs[i]?.status === "COMPLETED");
}

describe("an eval worker that dies", () => {
  test.each(["before", "after"] as const)(
    "%s any of its writes is followed by one that does the rest, and nothing twice",
    async (when) => {
      for (let write = 1; ; write += 1) {
        const world = evalWorld(stores.db);
        const { inputs, body } = threeCases();
        const { id } = await world.ask(body);
        const process = breakingDb(stores.db, write, when);
        const hasEnded = await ends(world.deliver(id, { db: process.db }));
        const through = await finished(world, id, inputs);
        const asked = through.map(world.asked);
        world.advance(LEASE_MS);
        await world.deliver(id);
        expect(await world.state(id)).toMatchObject({
          status: "completed",
          done: 3,
          eval_data: { avg_score: 5, min_score: 4, max_score: 6 },
        });
        expect((await world.trials(id)).map(({ number }) => number)).toEqual([0, 1, 2]);
        expect(through.map(world.asked)).toEqual(asked);
        if (!hasEnded) continue;
        expect(write).toBeGreaterThan(8);
        break;
      }
    },
    120_000,
  );

  test("is not taken for dead as long as its lease lasts, and is found by the sweeper then", async () => {
    const world = evalWorld(stores.db);
    const { id } = await world.ask(threeCases().body);
    const process = breakingDb(stores.db, 4, "before");
    expect(await ends(world.deliver(id, { db: process.db }))).toBe(false);
    const left = await world.state(id);
    await world.deliver(id);
    expect(await world.state(id)).toEqual(left);
    world.sent.length = 0;
    world.advance(LEASE_MS);
    expect(await world.sweep()).toBeGreaterThan(0);
    expect(world.sent).toContain(id);
    await world.deliver(id);
    expect(await world.state(id)).toMatchObject({ status: "completed", done: 3 });
    world.sent.length = 0;
    world.advance(LEASE_MS);
    await world.sweep();
    expect(world.sent).not.toContain(id);
  });
});

describe("a message", () => {
  test("that was lost is sent again by the sweeper", async () => {
    const world = evalWorld(stores.db);
    const { id } = await world.ask(threeCases().body);
    world.sent.length = 0;
    await world.sweep();
    expect(world.sent).not.toContain(id);
    world.advance(LEASE_MS);
    await world.sweep();
    expect(world.sent).toContain(id);
  });

  test("that comes twice at once has the evaluation worked off once", async () => {
    const world = evalWorld(stores.db);
    const { inputs, body } = threeCases();
    const { id } = await world.ask(body);
    await Promise.all([world.deliver(id), world.deliver(id)]);
    await world.deliver(id);
    expect(await world.state(id)).toMatchObject({ status: "completed", done: 3 });
    expect(inputs.map(world.asked)).toEqual([1, 1, 1]);
  });
});

test("a worker that finds no component any more logs no failure where another has the evaluation by then", async () => {
  const world = evalWorld(stores.db);
  const { id } = await world.ask(threeCases().body);
  // It is frozen meanwhile: its heartbeat does not renew the lease just when another worker takes it.
  const asleep = (_ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve(), { once: true }));
  await world.deliver(id, {
    clock: { ...world.clock, sleep: asleep },
    findRunnable: async () => {
      world.advance(LEASE_MS);
      await world.deliver(id);
      return undefined;
    },
  });
  expect(await world.state(id)).toMatchObject({ status: "completed", done: 3 });
  expect(world.errors).toEqual([]);
});

describe("an evaluation that takes longer than a function lives", () => {
  test("is given on between two steps of a run, and no step is taken twice", async () => {
    const world = evalWorld(stores.db);
    const input = [1, 2, 3, 4].map((n) => `[[tool:add_numbers {"a":${n},"b":1}]]`).join(" ");
    const { id } = await world.ask({
      eval_type: "reliability",
      input,
      expected_tool_calls: ["add_numbers"],
    });
    world.onAsked(() => world.advance(20_000));
    world.sent.length = 0;
    let slices = 0;
    for (let isOver = false; !isOver; slices += 1) {
      // Lives for two model calls, and the minute that is kept back.
      await world.deliver(id, {}, 95_000);
      isOver = (await world.state(id))?.status === "completed";
    }
    expect(slices).toBe(3);
    expect(world.sent).toEqual([id, id]);
    expect(world.asked(input)).toBe(5);
    expect((await world.state(id))?.eval_data).toMatchObject({
      eval_status: "PASSED",
      passed_tool_calls: Array.from({ length: 4 }, () => "add_numbers"),
    });
  });

  test("keeps what is through, and continues with the rest", async () => {
    const world = evalWorld(stores.db);
    const { id } = await world.ask({ eval_type: "performance", input: "slow", num_iterations: 5 });
    world.onAsked(() => world.advance(20_000));
    await world.deliver(id, {}, 95_000);
    expect(await world.state(id)).toMatchObject({ status: "running", done: 2 });
    await world.deliver(id);
    expect(await world.state(id)).toMatchObject({ status: "completed", done: 5 });
    expect(world.asked("slow")).toBe(5);
  });
});

describe("an evaluation that cannot be finished", () => {
  test("says so when what it evaluates is gone", async () => {
    const world = evalWorld(stores.db);
    const { id } = await world.ask(threeCases().body);
    await world.deliver(id, { findRunnable: async () => undefined });
    expect(await world.state(id)).toMatchObject({
      status: "failed",
      error: "agent assistant is not registered on this platform any more",
    });
  });

  test("is tried again after longer and longer waits, and then fails visibly", async () => {
    const world = evalWorld(stores.db);
    const { id } = await world.ask(threeCases().body);
    const broken = async () => {
      throw new Error("no such table");
    };
    let tries = 0;
    for (; (await world.state(id))?.status === "running"; tries += 1) {
      await world.deliver(id, { findRunnable: broken });
      world.advance(LEASE_MS);
    }
    expect(tries).toBe(9);
    expect(await world.state(id)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("8 times"),
    });
  });
});

describe("an evaluation that was removed", () => {
  const itemsOf = async (id: string) => {
    const { Items = [] } = await stores.db.client.send(
      new ScanCommand({ TableName: stores.db.tables.evals, ConsistentRead: true }),
    );
    return Items.filter(({ pk }) => String(pk).includes(id));
  };

  test("while it was under way stops, and leaves nothing", async () => {
    const world = evalWorld(stores.db);
    const { id } = await world.ask({ eval_type: "performance", input: "stop me", num_iterations: 50 });
    let removed: Promise<unknown> | undefined;
    world.onAsked(() => {
      removed ??= world.remove([id]);
    });
    await world.deliver(id);
    await removed;
    expect(await world.state(id)).toBeUndefined();
    expect(world.asked("stop me")).toBeLessThan(10);
    await world.deliver(id);
    expect(await itemsOf(id)).toEqual([]);
  });

  test("goes with its objects, also when its remover died", async () => {
    const world = evalWorld(stores.db);
    // Too much for an item, and for 64 KB packed.
    const noise = () => Array.from({ length: 90_000 }, () => Math.random().toString(36)[2]).join("");
    const cases = [{ input: noise() }, { input: noise() }];
    const { id } = await world.ask({ eval_type: "performance", cases });
    const objects = () => [...stores.objects.held.keys()].filter((key) => key.startsWith(`evals/${id}/`));
    expect(objects()).not.toEqual([]);
    await world.deliver(id);
    expect(await world.state(id)).toMatchObject({ status: "completed", done: 2 });
    await world.remove([id]);
    const process = breakingDb(stores.db, 1, "before", /BatchWrite/);
    expect(await ends(world.deliver(id, { db: process.db }))).toBe(false);
    world.sent.length = 0;
    world.advance(LEASE_MS);
    await world.sweep();
    expect(world.sent).toContain(id);
    await world.deliver(id);
    expect(await itemsOf(id)).toEqual([]);
    expect(objects()).toEqual([]);
  });
});
