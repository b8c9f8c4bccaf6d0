import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildTree } from "../../shared/domain/traces/build-tree.ts";
import { defineAgent } from "../../shared/engine/define/agent.ts";
import { defineTeam } from "../../shared/engine/define/team.ts";
import type { WorkflowStep } from "../../shared/engine/define/workflow.ts";
import { createModels } from "../../shared/engine/model/create-models.ts";
import type { WorkerDeps } from "../../shared/runs/worker.ts";
import type { AcceptedRun } from "../../shared/schemas/runs/run.ts";
import type { TraceNode } from "../../shared/schemas/traces/trace.ts";
import type { Db } from "../../shared/stores/db.ts";
import { readTrace } from "../../shared/stores/traces/read-trace.ts";
import { traceIdOf } from "../../shared/stores/traces/trace-item.ts";
import { connectTracing, type TracingEnv } from "../../shared/tracing/connect-tracing.ts";
import { breakingDb } from "../support/breaking-db.ts";
import { addNumbers } from "../support/registry/plain-tools.ts";
import { startStores, type TestStores } from "../support/stores.ts";
import { aWorkflowWorld } from "../workflows/a-workflow-world.ts";
import { tracingOn } from "./tracing-on.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const ADD = '[[tool:add_numbers {"a":2,"b":3}]]';
const adder = defineAgent({ id: "adder", name: "Adder", tools: [addNumbers] });
const desk = defineTeam({ id: "desk", name: "Help desk", members: [adder] });
/** The leader hands the sum on, twice: each is a call of its own, with a run of the member's within it. */
const handOn = (task: string) =>
  `[[tool:delegate_task_to_member ${JSON.stringify({ member_id: "adder", task })}]]`;
const TASK = `${handOn(ADD)}${handOn(ADD)}`;

const steps: readonly WorkflowStep[] = [
  { name: "prepare", type: "Step", executor: () => TASK },
  { name: "work", type: "Step", executor: desk },
  { name: "both", type: "Parallel", steps: [{ name: "close", type: "Step", executor: () => "closed" }] },
];

function tracedWorld(given: Parameters<typeof aWorkflowWorld>[2] = {}, env: Partial<TracingEnv> = {}) {
  const world = aWorkflowWorld(stores.db, steps, given);
  const faults: string[] = [];
  const log = {
    error: (_: string, fields?: Readonly<Record<string, unknown>>) => faults.push(String(fields?.error)),
  };
  const tracingOver = (db: Db) => {
    const tracing = connectTracing({ ...tracingOn, ...env }, { db, clock: world.clock, log });
    return tracing ? { tracing } : {};
  };
  const read = ({ run_id }: AcceptedRun) =>
    readTrace(stores.db, traceIdOf(run_id), "maria", Math.floor(world.clock.now() / 1000));
  return {
    ...world,
    faults,
    deliver: (overrides: Partial<WorkerDeps> = {}) =>
      world.deliver({ ...tracingOver(overrides.db ?? stores.db), ...overrides }),
    read,
    tree: async (run: AcceptedRun) => outline(buildTree((await read(run)).spans, 1000)),
  };
}

/** Names and kinds of a tree, one line each. */
const outline = (nodes: readonly TraceNode[], depth = 0): string[] =>
  nodes.flatMap(({ name, type, status, spans = [] }) => [
    `${"  ".repeat(depth)}${type} ${name} ${status}`,
    ...outline(spans, depth + 1),
  ]);

const MEMBER = [
  "        TOOL delegate_task_to_member OK",
  "          AGENT Adder.run OK",
  "            LLM scripted-1.invoke OK",
  "            TOOL add_numbers OK",
  "            LLM scripted-1.invoke OK",
];
const WHOLE = [
  "WORKFLOW Flow.run OK",
  "  WORKFLOW prepare.execute OK",
  "  WORKFLOW work.execute OK",
  "    TEAM Help_desk.run OK",
  "      LLM scripted-1.invoke OK",
  ...MEMBER.map((line) => line.slice(2)),
  "      LLM scripted-1.invoke OK",
  ...MEMBER.map((line) => line.slice(2)),
  "      LLM scripted-1.invoke OK",
  "  WORKFLOW both.execute OK",
  "    WORKFLOW close.execute OK",
];

describe("the trace of a team inside a workflow", () => {
  test("is a tree of steps, runs, model calls and tool calls", async () => {
    const world = tracedWorld();
    const run = await world.submit("begin");
    await world.deliver();
    expect(world.faults).toEqual([]);
    expect(await world.tree(run)).toEqual(WHOLE);
    const { trace } = await world.read(run);
    expect(trace).toMatchObject({
      name: "Flow.run",
      status: "OK",
      total_spans: WHOLE.length,
      error_count: 0,
    });
  });

  test("is the same after many hand-offs", async () => {
    const world = tracedWorld({ SLICE_SECONDS: 1 });
    const run = await world.submit("begin");
    expect(await world.deliver({ models: slowModels(world.clock) })).toBeGreaterThan(5);
    expect(await world.tree(run)).toEqual(WHOLE);
    const { trace, spans } = await world.read(run);
    expect(trace?.total_spans).toBe(WHOLE.length);
    const root = spans.find(({ parent_id }) => parent_id === undefined);
    expect((root?.end_ms ?? 0) - (root?.start_ms ?? 0)).toBeGreaterThan(5_000);
  });

  /** A worker dies at its n-th write to the runs table; another one takes the run up from what was kept. */
  test.each([2, 3, 4, 5, 6, 7, 8, 9])("is the same after a crash at write %i", async (atWrite) => {
    const world = tracedWorld({ MAX_ATTEMPTS: 2 });
    const run = await world.submit("begin");
    const dying = breakingDb(stores.db, atWrite);
    await world.deliver({ db: dying.db }).catch(() => undefined);
    dying.kill();
    await recovered(world);
    expect(await world.job(run.run_id)).toMatchObject({ status: "completed" });
    expect(await world.tree(run)).toEqual(WHOLE);
    expect((await world.read(run)).trace).toMatchObject({ status: "OK", total_spans: WHOLE.length });
  });

  test("is the same after a hand-off and a crash of the slice after it", async () => {
    const world = tracedWorld({ MAX_ATTEMPTS: 2, SLICE_SECONDS: 1 });
    const run = await world.submit("begin");
    const [first] = world.queue.sent;
    const models = slowModels(world.clock);
    const dying = breakingDb(stores.db);
    let slices = 0;
    const dieInThird = {
      ...models,
      resolve: (spec?: string) => {
        slices += 1;
        if (slices === 4) dying.kill();
        return models.resolve(spec);
      },
    };
    await world.deliver({ db: dying.db, models: dieInThird }).catch(() => undefined);
    expect(first).toBeDefined();
    expect((await world.read(run)).writes).toBeGreaterThan(1);
    await recovered(world, { models });
    expect(await world.job(run.run_id)).toMatchObject({ status: "completed", attempt: 2 });
    expect(await world.tree(run)).toEqual(WHOLE);
  });
});

const slowModels = (clock: { advance: (ms: number) => void }) => {
  const models = createModels({ MODEL: "scripted" });
  const resolve = (spec?: string) => {
    clock.advance(1_100);
    return models.resolve(spec);
  };
  return { ...models, resolve };
};

/** Lets the lock of a dead worker go stale, and works off what the sweeper frees. */
async function recovered(world: ReturnType<typeof tracedWorld>, overrides: Partial<WorkerDeps> = {}) {
  world.queue.sent.length = 0;
  world.clock.advance(62_000);
  await world.sweep();
  world.clock.advance(400_000);
  await world.sweep();
  await world.deliver(overrides);
}
