import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { planRequeue } from "../../shared/domain/jobs/plan-requeue.ts";
import { defineAgent } from "../../shared/engine/define/agent.ts";
import { defineTool, type Tool } from "../../shared/engine/tool/tool.ts";
import { requeueRun } from "../../shared/stores/transactions/requeue-run.ts";
import { breakingDb } from "../support/breaking-db.ts";
import { continueJob } from "../support/continue-job.ts";
import { type QueueSettings, queueWorld } from "../support/queue-world.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

/** A run of an agent whose tool counts its calls. */
async function countedRun(script: string, tool: Partial<Tool> = {}, settings: Partial<QueueSettings> = {}) {
  let calls = 0;
  const count = defineTool({
    name: "count",
    description: "Count.",
    parameters: v.object({}),
    effect: "safe",
    execute: () => `call ${++calls}`,
  });
  const agent = defineAgent({ id: "assistant", name: "Assistant", tools: [{ ...count, ...tool }] });
  const world = queueWorld(stores.db, settings);
  const run = await world.submit(script);
  const eventTypes = async () => (await world.events(run.run_id)).map(({ event }) => event);
  const deliver = (db = stores.db) => world.deliver(run.run_id, { findRunnable: async () => agent, db });
  return { world, run, eventTypes, deliver, calls: () => calls };
}

const steps = [
  "RunStarted",
  "ModelRequestStarted",
  "ModelRequestCompleted",
  "ToolCallStarted",
  "ToolCallCompleted",
];

describe("an attempt after one that failed", () => {
  const FAILING = "[[tool:count {}]][[fail:boom]]";

  test("goes on after the last step that succeeded, and records the run as one", async () => {
    const { world, run, eventTypes, deliver, calls } = await countedRun(FAILING, {}, { MAX_ATTEMPTS: 2 });
    await deliver();
    world.clock.advance(30_000);
    await deliver();
    expect(await world.job(run.run_id)).toMatchObject({ status: "failed", attempt: 2, error: "boom" });
    expect(calls()).toBe(1);
    expect(await eventTypes()).toEqual([...steps, "ModelRequestStarted", "RunError"]);
  });

  test("by a requeue does so too: its error is sent no more, and its numbers go on", async () => {
    const { world, run, eventTypes, deliver, calls } = await countedRun(FAILING);
    await deliver();
    const before = await world.events(run.run_id);
    const failed = await world.job(run.run_id);
    if (!failed) throw new Error("the job is gone");
    const now = Math.floor(world.clock.now() / 1000);
    const plan = planRequeue(failed, { force: true, clear_cancellation: false }, now, 60);
    await requeueRun(stores.db, failed, await world.run(run), plan, now);
    await deliver();
    expect(calls()).toBe(1);
    expect(await eventTypes()).toEqual([...steps, "ModelRequestStarted", "RunError"]);
    const after = await world.events(run.run_id);
    expect(after.slice(0, steps.length)).toEqual(before.slice(0, steps.length));
    expect(after[steps.length]?.event_index).toBeGreaterThan(before.at(-1)?.event_index ?? 0);
  });

  test("starts over when there was no step yet", async () => {
    const { world, eventTypes, deliver } = await countedRun("[[fail:boom]]", {}, { MAX_ATTEMPTS: 2 });
    await deliver();
    world.clock.advance(30_000);
    await deliver();
    expect(await eventTypes()).toEqual(["RunStarted", "ModelRequestStarted", "RunError"]);
  });
});

describe("a run that was continued", () => {
  test("says so first, keeps what was sent, and its numbers go on", async () => {
    const { world, run, eventTypes, deliver } = await countedRun("[[tool:count {}]]", {
      requires_confirmation: true,
    });
    await deliver();
    const [job, record] = [await world.job(run.run_id), await world.run(run)];
    if (!job || !record) throw new Error("the run is gone");
    await continueJob(stores.db, job, record, { confirmed: true });
    await deliver();
    expect((await eventTypes()).slice(4, 8)).toEqual([
      "RunPaused",
      "RunContinued",
      "ToolCallStarted",
      "ToolCallCompleted",
    ]);
    const indices = (await world.events(run.run_id)).map(({ event_index }) => event_index);
    expect(indices).toEqual(indices.map((_, i) => i));
    expect(await world.run(run)).toMatchObject({ status: "COMPLETED", output: { content: "call 1" } });
  });
});

describe("what a run writes on its way", () => {
  async function writesOf(script: string, tool: Partial<Tool> = {}) {
    const { world, run, deliver } = await countedRun(script, tool);
    const { db, writes } = breakingDb(stores.db);
    await deliver(db);
    expect(await world.run(run)).toMatchObject({ status: "COMPLETED" });
    expect((await world.run(run))?.checkpoint).toBeUndefined();
    return writes();
  }

  test("is nothing more for a run of one model call: claim, mark, end", async () => {
    expect(await writesOf("hello")).toBe(3);
  });

  test("is a checkpoint before and after a batch of calls", async () => {
    expect(await writesOf("[[tool:count {}]]")).toBe(5);
  });

  test("is two entries more for a call that must not happen twice", async () => {
    expect(await writesOf("[[tool:count {}]]", { effect: "once" })).toBe(7);
    expect(await writesOf("[[tool:count {}]]", { effect: "keyed" })).toBe(7);
  });
});
