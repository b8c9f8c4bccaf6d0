import { afterAll, beforeAll, expect, test } from "vitest";
import { defineAgent } from "../../shared/engine/define/agent.ts";
import type { WorkflowStep } from "../../shared/engine/define/workflow.ts";
import { sendRunMessage } from "../../shared/runs/messages/send-run-message.ts";
import type { StoredOutput } from "../../shared/schemas/runs/stored-output.ts";
import { interruptedModels, MARIA, statesOf } from "../support/steering.ts";
import { startStores, type TestStores } from "../support/stores.ts";
import { aWorkflowWorld } from "./a-workflow-world.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const agent = (id: string) => defineAgent({ id, name: id });
const step = (name: string): WorkflowStep => ({ name, type: "Step", executor: agent(name) });
const plain = (name: string): WorkflowStep => ({
  name,
  type: "Step",
  executor: ({ input }) => String(input),
});

type World = ReturnType<typeof aWorkflowWorld>;
async function say(world: World, ref: { run_id: string; session_id: string }, id: string, step_id?: string) {
  const [run, flow] = [await world.run(ref), await world.findRunnable("workflow", "flow")];
  if (!run || !flow) throw new Error("no run");
  const sent = { message_id: id, content: `say ${id}`, media: {}, if_ended: "run" as const, step_id };
  return sendRunMessage(world, MARIA, flow, run, sent, async () => undefined);
}

/** By step, what its agent was asked by its user. */
const askedOf = ({ step_executor_runs = [] }: StoredOutput): Record<string, string[]> =>
  Object.fromEntries(
    step_executor_runs.map(({ agent_id = "", messages = [] }) => [
      agent_id,
      messages.flatMap(({ steered, content = "" }) => (steered ? [content] : [])),
    ]),
  );

test("the agent at work takes it; where none is, the next one", async () => {
  const world = aWorkflowWorld(stores.db, [plain("a"), step("first"), plain("b"), step("second")]);
  const run = await world.submit("hello");
  await say(world, run, "before");
  const models = interruptedModels(world.models, async (call) => call === 2 && say(world, run, "during"));
  await world.deliver({ models });
  expect(askedOf(await world.output(run))).toEqual({ first: ["say before"], second: ["say during"] });
  expect(await statesOf(world, run)).toEqual({ before: "taken", during: "taken" });
});

test("of two agents at work one has to be named, and that one takes it", async () => {
  const sides: WorkflowStep = { name: "sides", type: "Parallel", steps: [step("left"), step("right")] };
  const world = aWorkflowWorld(stores.db, [sides]);
  const run = await world.submit("hello");
  const refused: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const models = interruptedModels(world.models, async (call) => {
    if (call > 2) return;
    if (call === 1) return promise;
    // Events are written a moment after they happened.
    for (let tries = 0; refused.length === 0 && tries < 10; tries += 1) {
      await say(world, run, `try ${tries}`).catch((error: Error) => refused.push(error.message));
      world.clock.advance(500);
      await new Promise((done) => setTimeout(done, 20));
    }
    const [, named] = /\((.*), (.*)\)/.exec(refused[0] ?? "") ?? [];
    await say(world, run, "named", named).finally(resolve);
  });
  await world.deliver({ models });
  expect(refused).toEqual([expect.stringContaining("several steps")]);
  const asked = askedOf(await world.output(run));
  expect(
    Object.values(asked)
      .flat()
      .filter((text) => text === "say named"),
  ).toHaveLength(1);
  expect(asked.left).toContain("say named");
});
