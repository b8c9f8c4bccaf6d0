import { afterAll, beforeAll, expect, test } from "vitest";
import type { WorkflowStep } from "../../../shared/engine/define/workflow.ts";
import { breakingDb } from "../../support/breaking-db.ts";
import { startStores, type TestStores } from "../../support/stores.ts";
import { aWorkflowWorld } from "../../workflows/a-workflow-world.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const STEPS = 500;

/** Steps that count how often each of them is made. */
function countedSteps(count: number) {
  const made = new Map<string, number>();
  const steps: WorkflowStep[] = Array.from({ length: count }, (_, i) => ({
    name: `step ${i}`,
    type: "Step",
    executor: ({ previous }) => {
      made.set(`step ${i}`, (made.get(`step ${i}`) ?? 0) + 1);
      return `${Number(previous) + 1}`;
    },
  }));
  return { steps, made };
}

test(`a workflow of ${STEPS} steps runs to its end and shows all of them`, async () => {
  const { steps, made } = countedSteps(STEPS);
  const world = aWorkflowWorld(stores.db, steps);
  const run = await world.submit("0");
  await world.deliver();
  const output = await world.output(run);
  expect(output).toMatchObject({ status: "COMPLETED", content: `${STEPS}` });
  expect(output.step_results).toHaveLength(STEPS);
  expect([...made.values()].every((times) => times === 1)).toBe(true);
  const completedSteps = (await world.events(run.run_id)).filter(({ event }) => event === "StepCompleted");
  expect(completedSteps).toHaveLength(STEPS);
});

test("a worker that dies at any of its writes leaves no finished step to be made again", async () => {
  const writes = await writesOf(6);
  expect(writes).toBeGreaterThanOrEqual(8);
  for (let atWrite = 1; atWrite <= writes; atWrite += 1) {
    for (const when of ["before", "after"] as const) {
      const { steps, made } = countedSteps(6);
      const world = aWorkflowWorld(stores.db, steps, { MAX_ATTEMPTS: 3 });
      const run = await world.submit("0");
      const dying = breakingDb(stores.db, atWrite, when);
      await world.deliver({ db: dying.db }).catch(() => undefined);
      await settle(world, run.run_id);
      const output = await world.output(run);
      expect({ atWrite, when, status: output.status, content: output.content }).toEqual({
        atWrite,
        when,
        status: "COMPLETED",
        content: "6",
      });
      const repeated = [...made.values()].filter((times) => times > 1);
      // The one that was under way, or whose end could not be kept any more.
      expect(repeated.length).toBeLessThanOrEqual(1);
    }
  }
});

async function writesOf(count: number): Promise<number> {
  const world = aWorkflowWorld(stores.db, countedSteps(count).steps);
  await world.submit("0");
  const counting = breakingDb(stores.db);
  await world.deliver({ db: counting.db });
  return counting.writes();
}

/** Lets the lock go stale, and the sweeper and another worker do their work, until the job has ended. */
async function settle(world: ReturnType<typeof aWorkflowWorld>, jobId: string): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    if ((await world.job(jobId))?.status === "completed") return;
    world.clock.advance(90_000);
    await world.sweep();
    await world.deliver();
  }
}
