import { afterAll, beforeAll, expect, test } from "vitest";
import type { StepReview, WorkflowStep } from "../../shared/engine/define/workflow.ts";
import { listDuePauseTimers } from "../../shared/stores/jobs/pause-timers.ts";
import { startStores, type TestStores } from "../support/stores.ts";
import { aWorkflowWorld } from "./a-workflow-world.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const asking = (review: StepReview): WorkflowStep[] => [
  { name: "ask", type: "Step", executor: () => "asked", review: { requires_confirmation: true, ...review } },
  { name: "after", type: "Step", executor: ({ previous }) => `after ${previous}` },
];

test.each([
  ["approve", { status: "COMPLETED", content: "after asked" }],
  ["skip", { status: "COMPLETED", content: "after please" }],
  ["cancel", { status: "CANCELLED" }],
] as const)("silence until the last moment means %s where the step says so", async (on_timeout, end) => {
  const world = aWorkflowWorld(stores.db, asking({ timeout_seconds: 600, on_timeout }));
  const run = await world.submit("please");
  await world.deliver();
  expect(await world.output(run)).toMatchObject({ status: "PAUSED" });
  world.clock.advance(590_000);
  expect((await world.sweep()).overdue).toBe(0);
  world.clock.advance(15_000);
  expect((await world.sweep()).overdue).toBe(1);
  await world.deliver();
  expect(await world.output(run)).toMatchObject(end);
  const now = world.clock.now() / 1000;
  expect(
    (await listDuePauseTimers(stores.db, now, 100)).filter(({ job_id }) => job_id === run.run_id),
  ).toEqual([]);
});

test("an answer that came before it stands, and its reminder is forgotten", async () => {
  const world = aWorkflowWorld(stores.db, asking({ timeout_seconds: 600, on_timeout: "cancel" }));
  const run = await world.submit("please");
  await world.deliver();
  await world.goOn(run, [{ step_id: "ask", confirmed: true }]);
  await world.deliver();
  world.clock.advance(700_000);
  expect((await world.sweep()).overdue).toBe(0);
  expect(await world.output(run)).toMatchObject({ status: "COMPLETED", content: "after asked" });
});

test("a question without a last moment waits", async () => {
  const world = aWorkflowWorld(stores.db, asking({}));
  const run = await world.submit("please");
  await world.deliver();
  world.clock.advance(86_400_000);
  expect((await world.sweep()).overdue).toBe(0);
  expect(await world.output(run)).toMatchObject({ status: "PAUSED" });
});
