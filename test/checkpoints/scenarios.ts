import * as v from "valibot";
import { defineAgent } from "../../shared/engine/define/agent.ts";
import type { Runnable } from "../../shared/engine/define/runnable.ts";
import { defineTeam } from "../../shared/engine/define/team.ts";
import { defineWorkflow } from "../../shared/engine/define/workflow.ts";
import { createModels } from "../../shared/engine/model/create-models.ts";
import { defineTool } from "../../shared/engine/tool/tool.ts";
import { Reply } from "../../shared/http/handler.ts";
import type { HandOffRef } from "../../shared/queue/run-queue.ts";
import { createComponentRun } from "../../shared/runs/index.ts";
import type { AcceptedRun } from "../../shared/schemas/runs/run.ts";
import type { Db } from "../../shared/stores/db.ts";
import { manualClock } from "../support/manual-clock.ts";
import { type QueueWorld, queueWorld } from "../support/queue-world.ts";
import { T0 } from "../support/records.ts";

const addNumbers = defineTool({
  name: "add_numbers",
  description: "Adds two numbers.",
  parameters: v.object({ a: v.number(), b: v.number() }),
  effect: "safe",
  execute: ({ a, b }) => String(a + b),
});

const assistant = defineAgent({ id: "assistant", name: "Assistant", tools: [addNumbers] });
const desk = defineTeam({ id: "desk", name: "Desk", members: [assistant] });
const report = defineWorkflow({
  id: "report",
  name: "Report",
  steps: [
    { name: "research", type: "Step", executor: assistant },
    {
      name: "outline",
      type: "Step",
      executor: ({ previous }) => `[[sleep:1100]]Outline of ${String(previous)}`,
    },
    {
      name: "drafts",
      type: "Parallel",
      steps: [
        { name: "short", type: "Step", executor: assistant },
        { name: "long", type: "Step", executor: ({ previous }) => `At length: ${String(previous)}` },
      ],
    },
  ],
});

const add = (a: number, b: number) => `[[sleep:1100]][[tool:add_numbers {"a":${a},"b":${b}}]]`;
const delegate = (task: string) =>
  `[[tool:delegate_task_to_member ${JSON.stringify({ member_id: "assistant", task })}]]`;

const REPORT =
  "## short\n\nYou said: Outline of You said: Tides\n\n## long\n\nAt length: [[sleep:1100]]Outline of You said: Tides";

export type Scenario = {
  readonly runnable: Runnable;
  readonly message: string;
  /** Functions that have worked on the run when its checkpoint is taken. */
  readonly slices: number;
  /** The result of the run when it has been resumed. */
  readonly content: string;
};

/** Runs that are handed off in their middle. A recorded checkpoint is resumed by the scenario of its name. */
export const scenarios = {
  agent: { runnable: assistant, message: `${add(1, 2)}${add(3, 4)}`, slices: 2, content: "3\n7" },
  team: { runnable: desk, message: `[[sleep:1100]]${delegate(add(5, 6))}`, slices: 2, content: "11" },
  workflow: { runnable: report, message: "[[sleep:1100]]Tides", slices: 2, content: REPORT },
} as const satisfies Record<string, Scenario>;

export type ScenarioName = keyof typeof scenarios;

/** A run between two functions: where its next one takes it up. */
export type Suspended = { readonly run: AcceptedRun; readonly hop: HandOffRef };

/** A world in which a function is over after each step, and the model's waiting moves the clock. */
function slicedWorld(db: Db, { runnable }: Scenario, startSeconds: number) {
  const world = queueWorld(db, { SLICE_SECONDS: 1 }, manualClock(startSeconds * 1000));
  const models = createModels(
    { MODEL: "scripted" },
    { clock: { sleep: async (ms) => world.clock.advance(ms) } },
  );
  const findRunnable: QueueWorld["findRunnable"] = async (kind, id) =>
    runnable.kind === kind && runnable.id === id ? runnable : undefined;
  return { ...world, models, findRunnable };
}

/** Submits a scenario's run and works on it until its checkpoint is to be taken. */
export async function suspended(db: Db, scenario: Scenario): Promise<Suspended> {
  const world = slicedWorld(db, scenario, T0);
  const { kind, id } = scenario.runnable;
  const answer = await createComponentRun(
    { ...world.request(scenario.message), component: { kind, id } },
    world,
  );
  if (!(answer instanceof Reply) || answer.status !== 202) throw new Error("the run was not accepted");
  for (let slice = 0; slice < scenario.slices; slice += 1) {
    const [next] = world.queue.sent.splice(0);
    if (!next) throw new Error("the run is over already");
    await world.deliver(next.job_id, world, next.hop);
  }
  const hop = world.queue.sent[0]?.hop;
  if (!hop) throw new Error("the run was not handed off");
  return { run: answer.body as AcceptedRun, hop }; // what the route answers with 202
}

/** Resumes a run that was handed off, until it rests. @param at  when it was handed off; epoch seconds */
export async function goOn(db: Db, scenario: Scenario, { run, hop }: Suspended, at: number) {
  const world = slicedWorld(db, scenario, at);
  await world.deliver(run.run_id, world, hop);
  for (let next = world.queue.sent.shift(); next; next = world.queue.sent.shift()) {
    await world.deliver(next.job_id, world, next.hop);
  }
  return {
    job: await world.job(run.run_id),
    run: await world.run(run),
    events: await world.events(run.run_id),
  };
}
