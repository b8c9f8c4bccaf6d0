import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cancelRun } from "../../../shared/engine/lifecycle/cancel-run.ts";
import { createModels } from "../../../shared/engine/model/create-models.ts";
import type { AcceptedRun } from "../../../shared/schemas/runs/run.ts";
import { type QueueSettings, type QueueWorld, queueWorld } from "../../support/queue-world.ts";
import { startStores, type TestStores } from "../../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const DAY = 86_400;
/** Thirty model calls, each of a second and a bit, with a tool call after each: sixty steps, then the answer. */
const SIXTY_STEPS = Array.from(
  { length: 30 },
  (_, i) => `[[sleep:1100]][[tool:add_numbers {"a":${i},"b":2}]]`,
).join("");

/** A world in which the model's waiting moves the clock, so that a long run takes no time. */
function slicedWorld(settings: Partial<QueueSettings> = {}) {
  const world = queueWorld(stores.db, { SLICE_SECONDS: 2, ...settings });
  const sleep = async (ms: number) => world.clock.advance(ms);
  return { ...world, models: createModels({ MODEL: "scripted" }, { clock: { sleep } }) };
}

/** Delivers messages until none is left; says how many it took. */
async function workOff(world: ReturnType<typeof slicedWorld>): Promise<number> {
  let delivered = 0;
  for (let next = world.queue.sent.shift(); next; next = world.queue.sent.shift()) {
    await world.deliver(next.job_id, { models: world.models }, next.hop);
    delivered += 1;
  }
  return delivered;
}

/** Events without what differs between any two runs: ids and times. */
async function neutralEvents(world: QueueWorld, { run_id }: AcceptedRun): Promise<string> {
  const ids = new Map<string, string>();
  const neutral = (key: string, value: unknown) => {
    if (/(_at|_time|duration|time_to_first_token)$/.test(key)) return 0;
    if (!/(^id|_id)$/.test(key) || typeof value !== "string") return value;
    if (!ids.has(value)) ids.set(value, `id-${ids.size}`);
    return ids.get(value);
  };
  return JSON.stringify(await world.events(run_id), neutral);
}

describe("a run that outlives its function", () => {
  test("goes on in the next one, in the same attempt, and emits the same events as in one go", async () => {
    const world = slicedWorld();
    const sliced = await world.submit(SIXTY_STEPS);
    expect(await workOff(world)).toBeGreaterThan(15);
    const job = await world.job(sliced.run_id);
    expect(job).toMatchObject({ status: "completed", attempt: 1 });
    const whole = slicedWorld({ SLICE_SECONDS: 780 });
    const inOneGo = await whole.submit(SIXTY_STEPS);
    expect(await workOff(whole)).toBe(1);
    expect(await neutralEvents(world, sliced)).toBe(await neutralEvents(whole, inOneGo));
    const [a, b] = [await world.run(sliced), await whole.run(inOneGo)];
    expect(a?.output.content).toBe(b?.output.content);
    expect(a?.output.tools).toHaveLength(30);
    expect(a?.output.metrics?.total_tokens).toBe(b?.output.metrics?.total_tokens);
    expect(a?.checkpoint).toBeUndefined();
  });

  test("with a slice of one step takes over thirty hops", async () => {
    const world = slicedWorld({ SLICE_SECONDS: 1 });
    const accepted = await world.submit(SIXTY_STEPS);
    await workOff(world);
    const job = await world.job(accepted.run_id);
    expect(job).toMatchObject({ status: "completed", attempt: 1 });
    expect(job?.hops).toBeGreaterThanOrEqual(30);
  });

  test("shows RUNNING all the while, and its events so far", async () => {
    const world = slicedWorld();
    const accepted = await world.submit(SIXTY_STEPS);
    const [first] = world.queue.sent.splice(0);
    await world.deliver(first?.job_id ?? "", { models: world.models });
    expect(await world.job(accepted.run_id)).toMatchObject({
      status: "running",
      locked_by: "hop-1",
      hops: 1,
    });
    expect(await world.run(accepted)).toMatchObject({ status: "RUNNING" });
    expect((await world.events(accepted.run_id))[0]).toMatchObject({ event: "RunStarted" });
    await workOff(world);
  });
});

describe("a hand-off", () => {
  async function handedOff(settings: Partial<QueueSettings> = {}) {
    const world = slicedWorld(settings);
    const accepted = await world.submit(SIXTY_STEPS);
    const [first] = world.queue.sent.splice(0);
    await world.deliver(first?.job_id ?? "", { models: world.models });
    const hop = world.queue.sent.shift()?.hop;
    if (!hop) throw new Error("nothing was handed off");
    return { world, accepted, hop };
  }

  test("that is delivered twice is resumed once", async () => {
    const { world, accepted, hop } = await handedOff();
    const deliver = () => world.deliver(accepted.run_id, { models: world.models }, hop);
    await Promise.all([deliver(), deliver()]);
    await deliver();
    expect(await world.job(accepted.run_id)).toMatchObject({ hops: 2 });
    await workOff(world);
    expect(await world.job(accepted.run_id)).toMatchObject({ status: "completed", attempt: 1 });
    const indices = (await world.events(accepted.run_id)).map((e) => e.event_index);
    expect(indices).toEqual(indices.map((_, i) => i));
  });

  test("that is lost is sent again by the sweeper, in the same attempt", async () => {
    const { world, accepted } = await handedOff();
    await world.deliver(accepted.run_id);
    expect(await world.job(accepted.run_id)).toMatchObject({ locked_by: "hop-1", attempt: 1 });
    world.clock.advance(62_000);
    expect((await world.sweep()).resumed).toBe(1);
    await workOff(world);
    expect(await world.job(accepted.run_id)).toMatchObject({ status: "completed", attempt: 1 });
  });

  test("does not outlive the execution timeout", async () => {
    const { world, accepted } = await handedOff({ EXECUTION_TIMEOUT_SECONDS: 120 });
    world.clock.advance(200_000);
    expect((await world.sweep()).failed).toBe(1);
    expect(await world.job(accepted.run_id)).toMatchObject({ status: "failed" });
  });

  test("is refused when the run is to be cancelled; it ends cancelled, with what was said", async () => {
    const { world, accepted, hop } = await handedOff();
    const cancelDuring = {
      ...world.models,
      resolve: async (spec?: string) => {
        const run = await world.run(accepted);
        if (run) await cancelRun(stores.db, run, Math.floor(world.clock.now() / 1000), DAY);
        return world.models.resolve(spec);
      },
    };
    await world.deliver(accepted.run_id, { models: cancelDuring }, hop);
    expect(world.queue.sent).toEqual([]);
    expect(await world.job(accepted.run_id)).toMatchObject({ status: "cancelled", attempt: 1 });
    expect(await world.run(accepted)).toMatchObject({ status: "CANCELLED" });
    const eventTypes = (await world.events(accepted.run_id)).map((e) => e.event);
    expect(eventTypes.slice(-2)).toEqual(["RunCancelled", "RunCompleted"]);
  });

  test("never comes back to life after its taker has ended the attempt", async () => {
    const { world, accepted, hop } = await handedOff();
    const broken = { ...world.models, resolve: () => Promise.reject(new Error("no model")) };
    await world.deliver(accepted.run_id, { models: broken }, hop);
    const job = await world.job(accepted.run_id);
    expect(job).toMatchObject({ status: "failed", attempt: 1 });
    await world.deliver(accepted.run_id, { models: world.models }, hop);
    expect(await world.job(accepted.run_id)).toEqual(job);
  });
});
