import { afterAll, beforeAll, expect, test } from "vitest";
import { Reply } from "../../shared/http/handler.ts";
import { claimInTurn } from "../../shared/runs/execute/claim-in-turn.ts";
import { continueComponentRun, createComponentRun } from "../../shared/runs/index.ts";
import type { AcceptedRun } from "../../shared/schemas/runs/run.ts";
import { type QueueWorld, queueWorld } from "../support/queue-world.ts";
import { startStores, type TestStores } from "../support/stores.ts";
import { watchedDb } from "../support/watched-db.ts";

/** What happens in a session at the very moment at which one of its paused runs goes on. */

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const component = { kind: "agent" as const, id: "refund-desk" };
const ASKS = '[[tool:issue_refund {"order_id":"o","amount":1}]]';

/** A world in which a test acts right before a transaction or an update that names a run: the next one, or one that comes later. */
function momentOf() {
  let waiting: { readonly runId: string; readonly act: () => Promise<unknown>; passing: number } | undefined;
  const db = watchedDb(stores.db, {
    before: async (command) => {
      if (!waiting || !["TransactWriteCommand", "UpdateCommand"].includes(command.constructor.name)) return;
      if (!JSON.stringify(command.input).includes(waiting.runId)) return;
      if (waiting.passing-- > 0) return;
      const { act } = waiting;
      waiting = undefined;
      await act();
    },
  });
  const justBefore = (runId: string, act: () => Promise<unknown>, passing = 0): void => {
    waiting = { runId, act, passing };
  };
  return { world: queueWorld(db), justBefore };
}

async function submit(world: QueueWorld, message: string, session_id?: string): Promise<AcceptedRun> {
  const request = world.request(message, { session_policy: "queue", ...(session_id && { session_id }) });
  const answer = await createComponentRun({ ...request, component }, world);
  if (!(answer instanceof Reply)) throw new Error("the run was not accepted");
  return answer.body as AcceptedRun; // as a background submission answers
}

/** Answers the question of a run, in the queue. */
async function goOn(world: QueueWorld, { run_id, session_id }: AcceptedRun): Promise<void> {
  const tools = ((await world.run({ run_id, session_id }))?.output.tools ?? []).map((tool) => ({
    ...tool,
    confirmed: true,
  }));
  const flags = { stream: false, background: true, stream_events: true, fork: false, regenerate: false };
  const body = { session_id, tools: JSON.stringify(tools), ...flags };
  await continueComponentRun({ ...world.request(""), component, params: { run_id }, body }, world);
}

const waitsFor = async (world: QueueWorld, { run_id }: AcceptedRun) => (await world.job(run_id))?.waits_for;
const statusOf = async (world: QueueWorld, { run_id }: AcceptedRun) => (await world.job(run_id))?.status;

test("a run that is accepted while another one goes on is seen by it", async () => {
  const { world, justBefore } = momentOf();
  const paused = await submit(world, ASKS);
  await world.deliverAll();
  let next: AcceptedRun | undefined;
  justBefore(paused.run_id, async () => {
    next = await submit(world, "the next", paused.session_id);
  });
  await goOn(world, paused);
  expect(await waitsFor(world, paused)).toEqual([next?.run_id]);
  await world.deliverAll();
  await world.deliverAll();
  expect([await statusOf(world, paused), next && (await statusOf(world, next))]).toEqual([
    "completed",
    "completed",
  ]);
});

test("a run does not begin beside one that it waited for and that goes on at the same moment", async () => {
  const { world, justBefore } = momentOf();
  const first = await submit(world, ASKS);
  const next = await submit(world, "the next", first.session_id);
  await world.deliver(first.run_id);
  expect(await statusOf(world, first)).toBe("paused");
  // Its first claim is refused, since it waits; the second one comes after it has seen that no run is live.
  justBefore(next.run_id, () => goOn(world, first), 1);
  await world.deliver(next.run_id);
  expect([await statusOf(world, first), await statusOf(world, next)]).toEqual(["queued", "queued"]);
  await world.deliver(first.run_id);
  await world.deliver(next.run_id);
  expect([await statusOf(world, first), await statusOf(world, next)]).toEqual(["completed", "completed"]);
});

test("a run that goes on waits for one that waited for it and has begun at the same moment", async () => {
  const { world, justBefore } = momentOf();
  const first = await submit(world, ASKS);
  const next = await submit(world, "[[sleep:1]] the next", first.session_id);
  await world.deliver(first.run_id);
  justBefore(first.run_id, async () => {
    const { run_id: job_id } = next;
    await claimInTurn(world as never, { job_id, user_id: "maria" }, "another-worker");
    expect(await statusOf(world, next)).toBe("running");
  });
  await goOn(world, first);
  expect(await waitsFor(world, first)).toEqual([next.run_id]);
});
