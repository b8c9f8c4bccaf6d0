import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Agent, defineAgent } from "../../shared/engine/define/agent.ts";
import type { Runnable } from "../../shared/engine/define/runnable.ts";
import { defineTeam } from "../../shared/engine/define/team.ts";
import { defineWorkflow } from "../../shared/engine/define/workflow.ts";
import { cancelRun } from "../../shared/engine/lifecycle/cancel-run.ts";
import { connectModelGate } from "../../shared/engine/model/connect-model-gate.ts";
import { createModels } from "../../shared/engine/model/create-models.ts";
import { ServiceError } from "../../shared/errors.ts";
import { CHECK_EVERY_MS } from "../../shared/runs/execute/watch-lock.ts";
import { createComponentRun } from "../../shared/runs/index.ts";
import type { Db } from "../../shared/stores/db.ts";
import { type HostileModel, startHostileModel } from "../support/hostile-model/start-hostile-model.ts";
import type { Reply } from "../support/hostile-model/turn.ts";
import { queueWorld } from "../support/queue-world.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
let hostile: HostileModel;
beforeAll(async () => {
  [stores, hostile] = await Promise.all([startStores(), startHostileModel()]);
});
afterAll(() => Promise.all([stores.stop(), hostile.stop()]));

let plans = 0;
let model = "";
beforeEach(() => {
  model = `openai-compatible:own-${++plans}`;
});

/** A platform whose waiting moves its clock, and whose model answers so, in the order of all calls. */
function aWorld(
  replies: readonly Reply[],
  settings: Partial<Agent> = {},
  db: Db = stores.db,
  around: (agent: Agent) => Runnable = (agent) => agent,
) {
  const world = queueWorld(db);
  const name = `plan-trouble-${plans}`;
  const { requests } = hostile.plan(name, replies);
  // The watch over the lock sleeps on: it would move the clock for as long as anything takes, past what a breaker waits.
  const sleep = async (ms: number, signal?: AbortSignal) =>
    ms === CHECK_EVERY_MS ? world.clock.sleep(ms, signal) : world.clock.advance(ms);
  const clock = { ...world.clock, sleep };
  const MODEL = model;
  const agent = defineAgent({ id: "assistant", name: "Assistant", ...settings });
  const deps = {
    clock,
    models: createModels({ ...hostile.environment, MODEL }),
    modelGate: connectModelGate({ db, clock, log: world.log }, { MODEL }),
    findRunnable: async () => around(agent),
  };
  return {
    ...world,
    gate: deps.modelGate,
    asked: () => requests.map(({ body }) => body.model),
    bodies: () => requests.map(({ body }) => body),
    submit: (message = name) => world.submit(message),
    deliver: (run: { run_id: string }) => world.deliver(run.run_id, deps),
    /** A run for whose answer the client waits. */
    ask: (message = name) =>
      createComponentRun(world.request(message, { background: false }), { ...world, ...deps }),
  };
}

/** Has the breaker of the model opened by failures of another worker. */
async function open({ gate }: ReturnType<typeof aWorld>): Promise<void> {
  for (let n = 0; n < 5; n += 1) {
    const entered = await gate?.enter({
      spec: model,
      account: "none",
      user_id: null,
      tokens: () => 1,
      share: 0,
    });
    if (entered?.admitted) await entered.ended({ was: "unavailable" });
  }
}

const seconds = (world: ReturnType<typeof aWorld>) => Math.floor(world.clock.now() / 1000);
const status = (code: number, retry_after?: number): Reply => ({
  fails: {
    ...{ kind: "status", status: code, message: `status ${code}` },
    ...(retry_after && { headers: { "retry-after": String(retry_after) } }),
  },
});
const five: Reply = { text: ["Five."] };

describe("a model whose breaker is open", () => {
  test("is not called by a background run, which waits in the queue in its attempt and completes later", async () => {
    const world = aWorld([five]);
    await open(world);
    const available_at = seconds(world) + 30;
    const run = await world.submit();
    await world.deliver(run);
    expect(await world.job(run.run_id)).toMatchObject({
      status: "queued",
      attempt: 1,
      max_attempts: 1,
      available_at,
    });
    expect(world.asked()).toEqual([]);
    expect(world.queue.sent.at(-1)).toMatchObject({ job_id: run.run_id, delay_seconds: expect.any(Number) });
    world.clock.advance(30_000);
    await world.deliver(run);
    expect(await world.job(run.run_id)).toMatchObject({ status: "completed", attempt: 1 });
    expect((await world.run(run))?.output).toMatchObject({ status: "COMPLETED", content: "Five." });
    const events = await world.events(run.run_id);
    expect(events.map(({ event_index }) => event_index)).toEqual(events.map((_, index) => index));
    expect(events.map(({ event }) => event).filter((event) => event === "RunStarted")).toHaveLength(1);
  });

  test("is replaced by the next model at once", async () => {
    const world = aWorld([five], { fallback_models: ["openai-compatible:second"] });
    await open(world);
    const run = await world.submit();
    await world.deliver(run);
    expect(world.asked()).toEqual(["second"]);
    expect((await world.run(run))?.output.metrics?.additional_metrics?.fallbacks).toMatchObject([
      { to: "second", class: "unavailable" },
    ]);
  });

  test("answers a client that waits with 503 and when to come back", async () => {
    const world = aWorld([five]);
    await open(world);
    const refused = await Promise.resolve(world.ask()).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ServiceError);
    expect(refused).toMatchObject({ code: "UNAVAILABLE", headers: { "retry-after": "30" } });
    expect(world.asked()).toEqual([]);
  });

  test("has opened by the failures of a run itself, which then waits too", async () => {
    const failures = Array.from({ length: 5 }, () => status(503));
    const world = aWorld([...failures, five], { retries: 5 });
    const run = await world.submit();
    await world.deliver(run);
    expect(world.asked()).toHaveLength(5);
    expect(await world.job(run.run_id)).toMatchObject({ status: "queued", attempt: 1 });
    world.clock.advance(30_000);
    await world.deliver(run);
    expect(await world.job(run.run_id)).toMatchObject({ status: "completed", attempt: 1 });
  });

  test("a postponed run is cancelled as any that waits", async () => {
    const world = aWorld([five]);
    await open(world);
    const run = await world.submit();
    await world.deliver(run);
    const waiting = await world.run(run);
    if (!waiting) throw new Error("there is no run");
    await cancelRun(stores.db, waiting, seconds(world), 3_600);
    expect(await world.job(run.run_id)).toMatchObject({ status: "cancelled" });
    world.clock.advance(30_000);
    await world.deliver(run);
    expect((await world.run(run))?.output.status).toBe("CANCELLED");
    expect(world.asked()).toEqual([]);
  });
});

test("a service that refuses to be asked to cache is asked by no other worker", async () => {
  model = `anthropic:claude-${plans}`;
  const refusing: Reply = {
    fails: { kind: "status", status: 400, message: "cache_control: this is not supported here" },
  };
  const first = aWorld([refusing, five], { instructions: "Be short." });
  await first.deliver(await first.submit());
  // Another process, which has been refused nothing.
  const second = aWorld([five], { instructions: "Be short." });
  const run = await second.submit();
  await second.deliver(run);
  expect(await second.job(run.run_id)).toMatchObject({ status: "completed" });
  const marked = (world: typeof first) =>
    world.bodies().map((body) => JSON.stringify(body).includes("cache_control"));
  expect([marked(first), marked(second)]).toEqual([[true, false], [false]]);
});

describe("a service that asks to slow down", () => {
  test("for 120 seconds sends a background run back to the queue, in its attempt", async () => {
    const world = aWorld([status(429, 120), five]);
    const run = await world.submit();
    const earliest = seconds(world) + 120;
    await world.deliver(run);
    const job = await world.job(run.run_id);
    expect(job).toMatchObject({ status: "queued", attempt: 1 });
    expect(job?.available_at).toBeGreaterThanOrEqual(earliest);
    world.clock.advance(120_000);
    // It may be its turn a little later: those that wait start one after the other.
    for (let n = 0; n < 3 && (await world.job(run.run_id))?.status !== "completed"; n += 1) {
      await world.deliver(run);
      world.clock.advance(30_000);
    }
    expect(await world.job(run.run_id)).toMatchObject({ status: "completed", attempt: 1 });
    expect(world.asked()).toHaveLength(2);
  });

  test.each([
    ["of a team's member", (agent: Agent) => defineTeam({ id: "team", name: "Team", members: [agent] })],
    [
      "of a workflow's step",
      (agent: Agent) =>
        defineWorkflow({
          id: "flow",
          name: "Flow",
          steps: [
            { type: "Step", name: "one", executor: agent },
            { type: "Step", name: "two", executor: agent },
          ],
        }),
    ],
  ])("for 120 seconds sends a background run back to the queue with the state %s", async (_, around) => {
    const isTeam = around(defineAgent({ id: "a", name: "A" })).kind === "team";
    const task = { member_id: "assistant", task: `plan-trouble-${plans}` };
    const first: Reply = isTeam
      ? { calls: [{ id: "c", name: "delegate_task_to_member", arguments: JSON.stringify(task) }] }
      : { text: [`First for plan-trouble-${plans}.`] };
    const world = aWorld([first, status(429, 120), five, { text: ["All done."] }], {}, stores.db, around);
    const run = await world.submit();
    await world.deliver(run);
    expect(await world.job(run.run_id)).toMatchObject({ status: "queued", attempt: 1 });
    expect(world.asked()).toHaveLength(2);
    for (let n = 0; n < 6 && (await world.job(run.run_id))?.status !== "completed"; n += 1) {
      world.clock.advance(n === 0 ? 120_000 : 30_000);
      await world.deliver(run);
    }
    expect(await world.job(run.run_id)).toMatchObject({ status: "completed", attempt: 1 });
    expect((await world.run(run))?.output.content).toContain(isTeam ? "All done." : "Five.");
    expect(world.asked()).toHaveLength(isTeam ? 4 : 3);
  });

  test("for 20 seconds is waited for in place by a background run", async () => {
    const world = aWorld([status(429, 20), five]);
    const run = await world.submit();
    const began = world.clock.now();
    await world.deliver(run);
    expect(await world.job(run.run_id)).toMatchObject({ status: "completed", attempt: 1 });
    expect(world.clock.now() - began).toBeGreaterThanOrEqual(20_000);
  });

  test("answers a client with 429 where it would wait for more than ten seconds", async () => {
    const world = aWorld([status(429, 120), five]);
    const refused = await Promise.resolve(world.ask()).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "TOO_MANY_REQUESTS", headers: { "retry-after": "120" } });
    const again = await Promise.resolve(world.ask()).catch((error: unknown) => error);
    expect(again).toMatchObject({ code: "TOO_MANY_REQUESTS" });
    expect(world.asked()).toHaveLength(1);
  });
});
