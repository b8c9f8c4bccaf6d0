import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { planRequeue } from "../../shared/domain/jobs/plan-requeue.ts";
import { type Agent, defineAgent } from "../../shared/engine/define/agent.ts";
import { createModels } from "../../shared/engine/model/create-models.ts";
import { defineTool } from "../../shared/engine/tool/tool.ts";
import type { RunMessage } from "../../shared/queue/run-queue.ts";
import type { CodePin, WorkerDeps } from "../../shared/runs/worker.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { moveJob } from "../../shared/stores/jobs/move-job.ts";
import { requeueRun } from "../../shared/stores/transactions/requeue-run.ts";
import { type QueueSettings, queueWorld } from "../support/queue-world.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

/** Two model calls with a tool call between them: with slices of a second it is handed off after each step. */
const LONG = '[[sleep:1100]][[tool:say {"to":"Maria"}]]';

/** Code as one deployment brings it: its tool says which. */
function agentOf(word: string, revision?: string | number, parameters: v.GenericSchema = v.unknown()): Agent {
  const say = defineTool({
    name: "say",
    description: "Says a word.",
    parameters: v.object({ to: parameters }),
    effect: "safe",
    execute: () => word,
  });
  return defineAgent({
    id: "assistant",
    name: "Assistant",
    tools: [say],
    ...(revision !== undefined && { revision }),
  });
}

/** A world with several versions of the worker; passed-on messages wait until they are delivered. */
function versionedWorld(settings: Partial<QueueSettings> = {}) {
  const world = queueWorld(stores.db, { SLICE_SECONDS: 1, MAX_ATTEMPTS: 3, ...settings });
  const models = createModels(
    { MODEL: "scripted" },
    { clock: { sleep: async (ms) => world.clock.advance(ms) } },
  );
  const kept = new Map<string, Partial<WorkerDeps>>();
  const passed: { to: string; message: RunMessage }[] = [];
  const pinOf = (version: string): CodePin => ({
    version,
    passOn: async (to, message) => {
      if (kept.has(to)) passed.push({ to, message });
      return kept.has(to);
    },
  });
  const depsOf = (version: string, agent: Agent): Partial<WorkerDeps> => ({
    models,
    pin: pinOf(version),
    findRunnable: async () => agent,
  });
  return {
    ...world,
    passed,
    depsOf,
    deploy(version: string, agent: Agent): Partial<WorkerDeps> {
      const deps = depsOf(version, agent);
      kept.set(version, deps);
      return deps;
    },
    remove: (version: string) => void kept.delete(version),
    /** Delivers the next message of the queue to a worker. */
    async next(deps: Partial<WorkerDeps>): Promise<void> {
      const message = world.queue.sent.shift();
      if (message) await world.deliver(message.job_id, deps, message.hop);
    },
    /** Delivers what was passed on, and all messages, the latter to this worker, until none is left. */
    async workOff(live: Partial<WorkerDeps>): Promise<void> {
      while (world.queue.sent.length + passed.length > 0) {
        const first = passed.shift();
        if (first) await world.deliver(first.message.job_id, kept.get(first.to), first.message.hop);
        else await this.next(live);
      }
    },
  };
}

describe("a run that has begun", () => {
  test("is passed on to the code it began with, at every hand-off; one that has not begun runs on the current code", async () => {
    const world = versionedWorld();
    const first = world.deploy("1", agentOf("first"));
    const begun = await world.submit(LONG);
    const waiting = await world.submit(LONG);
    await world.next(first);
    expect(await world.job(begun.run_id)).toMatchObject({ code_version: "1", locked_by: "hop-1" });

    const second = world.deploy("2", agentOf("second"));
    await world.workOff(second);
    expect((await world.run(begun))?.output).toMatchObject({
      status: "COMPLETED",
      tools: [{ result: "first" }],
    });
    expect((await world.run(waiting))?.output).toMatchObject({
      status: "COMPLETED",
      tools: [{ result: "second" }],
    });
    expect(await world.job(begun.run_id)).toMatchObject({ attempt: 1, code_version: "1" });
    expect(await world.job(waiting.run_id)).toMatchObject({ attempt: 1, code_version: "2" });
  });

  test("keeps its code when its worker dies, and a passed-on message that is lost is sent again", async () => {
    const world = versionedWorld();
    const first = world.deploy("1", agentOf("first"));
    const run = await world.submit(LONG);
    await world.next(first);
    world.queue.sent.splice(0);
    const taken = {
      now: epochSeconds(world.clock),
      worker: "hop-1",
      attempt: 1,
      successor: "dead",
      code: { version: "1" },
    };
    expect(await moveJob(stores.db, run.run_id, "takeOver", taken)).toMatchObject({ moved: true });
    world.clock.advance(120_000);
    await world.sweep();
    expect(await world.job(run.run_id)).toMatchObject({ status: "queued", code_version: "1" });

    const second = world.deploy("2", agentOf("second"));
    await world.next(second);
    expect(world.passed.splice(0)).toMatchObject([{ to: "1", message: { job_id: run.run_id } }]);
    world.clock.advance(120_000);
    await world.sweep();
    await world.workOff(second);
    expect((await world.run(run))?.output).toMatchObject({
      status: "COMPLETED",
      tools: [{ result: "first" }],
    });
  });
});

describe("a run whose own code is gone", () => {
  test("continues with the current code, and is pinned to it, where the revision is the same", async () => {
    const world = versionedWorld();
    const run = await world.submit(LONG);
    await world.next(world.deploy("1", agentOf("first", 7)));
    const second = world.deploy("2", agentOf("second", "7"));
    world.remove("1");
    await world.workOff(second);
    expect((await world.run(run))?.output).toMatchObject({
      status: "COMPLETED",
      tools: [{ result: "second" }],
    });
    expect(await world.job(run.run_id)).toMatchObject({ attempt: 1, code_version: "2" });
  });

  test.each([
    ["another revision", "8", "7", "which was at revision 7 when the run began, is at revision 8 now"],
    ["no revision any more", undefined, "7", "declares none now"],
    ["no revision then", "7", undefined, "declared no revision then"],
    ["no revision at all", undefined, undefined, "declared no revision then"],
  ])("fails visibly with the reason: %s", async (_, now, then, reason) => {
    const world = versionedWorld();
    const run = await world.submit(LONG);
    await world.next(world.deploy("1", agentOf("first", then)));
    const second = world.deploy("2", agentOf("second", now));
    world.remove("1");
    await world.workOff(second);
    const job = await world.job(run.run_id);
    expect(job).toMatchObject({ status: "failed", attempt: 1, error: expect.stringContaining(reason) });
    expect((await world.run(run))?.output).toMatchObject({ status: "ERROR", content: job?.error });
    expect((await world.events(run.run_id)).at(-1)).toMatchObject({ event: "RunError" });
  });

  test("is looked at again when the worker that takes it over dies before it has decided", async () => {
    const world = versionedWorld();
    const run = await world.submit(LONG);
    await world.next(world.deploy("1", agentOf("first", "7")));
    const second = world.deploy("2", agentOf("second", "8"));
    world.remove("1");
    const dying = { ...second, findRunnable: () => Promise.reject(new Error("the process is gone")) };
    await expect(world.next(dying)).rejects.toThrow("the process is gone");
    expect(await world.job(run.run_id)).toMatchObject({ status: "running", code_version: "1" });
    world.clock.advance(120_000);
    await world.sweep();
    await world.workOff(second);
    expect(await world.job(run.run_id)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("is at revision 8 now"),
    });
  });

  test("begins anew with the current code when nothing of it was saved", async () => {
    const world = versionedWorld();
    const run = await world.submit(LONG);
    const fence = { now: epochSeconds(world.clock), worker: "dead", code: { version: "1" } };
    expect(await moveJob(stores.db, run.run_id, "claim", fence)).toMatchObject({ moved: true });
    world.queue.sent.splice(0);
    world.clock.advance(120_000);
    await world.sweep();
    await world.workOff(world.deploy("2", agentOf("second")));
    expect((await world.run(run))?.output).toMatchObject({
      status: "COMPLETED",
      tools: [{ result: "second" }],
    });
  });
});

describe("a run that failed because its code is gone", () => {
  test("continues with the current code, from its checkpoint, when it is requeued", async () => {
    const world = versionedWorld();
    const run = await world.submit(LONG);
    const first = world.deploy("1", agentOf("first", "7"));
    await world.next(first);
    const second = world.deploy("2", agentOf("second", "8"));
    world.remove("1");
    await world.workOff(second);
    const [job, failed] = [await world.job(run.run_id), await world.run(run)];
    if (!job) throw new Error("the job is gone");
    const now = epochSeconds(world.clock);
    const plan = planRequeue(job, { force: true, clear_cancellation: false }, now, 60);
    await requeueRun(stores.db, job, failed, plan, now);
    await world.queue.send({ job_id: job.id, user_id: job.user_id });
    await world.workOff(second);
    expect(await world.job(run.run_id)).toMatchObject({ status: "completed", code_version: "2" });
    const { tools } = (await world.run(run))?.output ?? {};
    expect(tools).toMatchObject([{ result: "second" }]);
  });
});

test("where runs are not pinned, any code continues a run that was", async () => {
  const world = versionedWorld();
  const run = await world.submit(LONG);
  await world.next(world.deploy("1", agentOf("first")));
  const { pin: _, ...unpinned } = world.deploy("2", agentOf("second"));
  await world.workOff(unpinned);
  const job = await world.job(run.run_id);
  expect(job).toMatchObject({ status: "completed" });
  expect(job).not.toHaveProperty("code_version");
});
