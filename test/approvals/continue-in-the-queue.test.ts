import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { resolveApproval } from "../../functions/runs/resolve-approval.ts";
import { findInRegistry } from "../../shared/engine/component/find-runnable.ts";
import { continueComponentRun, createComponentRun, type RunsDeps } from "../../shared/runs/index.ts";
import type { RunOutput } from "../../shared/schemas/runs/run.ts";
import { getApproval } from "../../shared/stores/approvals/approval-item.ts";
import { recordCancellationById } from "../../shared/stores/runs/run-cancellation.ts";
import { type QueueWorld, queueWorld } from "../support/queue-world.ts";
import { T0 } from "../support/records.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const account = '[[tool:close_account {"account":"K-7"}]]';

/** A run of maria's that waits for an approval, started in the foreground. */
async function waiting(world: QueueWorld, message = account): Promise<RunOutput> {
  const request = world.request(message, { background: false });
  const component = { kind: "agent" as const, id: "account-desk" };
  return (await createComponentRun({ ...request, component }, world)) as RunOutput; // as it answers without a stream
}

const approvalId = ({ tools = [] }: RunOutput) => tools[0]?.approval_id ?? "none";
const approvalOf = (run: RunOutput) => getApproval(stores.db, approvalId(run));

const resolve = (world: QueueWorld, run: RunOutput, overrides: Partial<RunsDeps> = {}) =>
  resolveApproval(
    {
      params: { approval_id: approvalId(run) },
      query: {},
      body: { status: "approved" as const, continue: true },
      headers: {},
      principal: { kind: "user", user_id: "lead", scopes: [], admin: true },
      signal: new AbortController().signal,
      invocation: {},
    },
    { ...world, ...overrides },
  );

test("the limit of running runs is the requester's, not the approver's", async () => {
  const world = queueWorld(stores.db, { MAX_RUNNING_PER_USER: 1 });
  const run = await waiting(world);
  const first = await world.submit("[[sleep:1]] first");
  await resolve(world, run);
  expect(world.queue.sent.at(-1)).toEqual({ job_id: run.run_id, user_id: "maria" });
  await world.deliver(first.run_id, {
    findRunnable: async (...asked) => {
      await world.deliver(run.run_id);
      expect(await world.job(run.run_id)).toMatchObject({ status: "queued", user_id: "maria" });
      return world.findRunnable(...asked);
    },
  });
  await world.deliverAll();
  expect(await world.job(run.run_id)).toMatchObject({ status: "completed" });
});

describe("nothing is written", () => {
  const refused = async (
    code: string,
    world: QueueWorld,
    run: RunOutput,
    overrides?: Partial<RunsDeps>,
  ): Promise<void> => {
    const seen = await world.run(run);
    await expect(resolve(world, run, overrides)).rejects.toMatchObject({ code });
    expect(await approvalOf(run)).toMatchObject({ status: "pending", resolved_by: null });
    expect(await world.run(run)).toEqual(seen);
    expect(await world.job(run.run_id)).toBeUndefined();
  };

  test("where the queue is off", async () => {
    const world = queueWorld(stores.db, { QUEUE_ENABLED: "false" });
    await refused("QUEUE_DISABLED", world, await waiting(world));
  });

  test("where the component is gone", async () => {
    const world = queueWorld(stores.db);
    const findRunnable = findInRegistry({ agents: [], teams: [], workflows: [] });
    await refused("CONFLICT", world, await waiting(world), { findRunnable });
  });
});

test("a run that was cancelled by its id while it was paused is cancelled by the worker", async () => {
  const world = queueWorld(stores.db);
  const run = await waiting(world);
  await recordCancellationById(stores.db, run.run_id, T0 + 1000);
  await resolve(world, run);
  await world.deliverAll();
  expect(await world.run(run)).toMatchObject({ status: "CANCELLED" });
});

test("a wake-up that is lost is sent again by the sweeper, and by a repetition", async () => {
  const world = queueWorld(stores.db);
  const run = await waiting(world);
  await resolve(world, run);
  world.queue.sent.splice(0);
  await resolve(world, run);
  expect(world.queue.sent).toEqual([{ job_id: run.run_id, user_id: "maria" }]);
  world.queue.sent.splice(0);
  world.clock.advance(120_000);
  await world.sweep();
  expect(world.queue.sent).toContainEqual({ job_id: run.run_id, user_id: "maria" });
  await world.deliverAll();
  expect(await world.run(run)).toMatchObject({
    status: "COMPLETED",
    output: { content: "Account K-7 is closed." },
  });
});

test("a queued run that failed, went on in the foreground and paused there is queued in its old job", async () => {
  const world = queueWorld(stores.db);
  const component = { kind: "agent" as const, id: "account-desk" };
  await createComponentRun({ ...world.request("[[fail:out of luck]]"), component }, world);
  const { job_id: run_id = "none" } = world.queue.sent[0] ?? {};
  await world.deliverAll();
  const failed = await world.job(run_id);
  expect(failed).toMatchObject({ status: "failed", attempt: 1 });
  const { session_id = "none" } = failed ?? {};
  const body = {
    session_id,
    input: account,
    stream: false,
    background: false,
    stream_events: true,
    fork: false,
    regenerate: false,
  };
  const run = (await continueComponentRun(
    { ...world.request(""), component, params: { run_id }, body },
    world,
  )) as RunOutput; // as it answers without a stream
  expect(run).toMatchObject({ run_id, status: "PAUSED" });
  expect(await resolve(world, run)).toMatchObject({
    run: { status: "PENDING", job_id: run_id, waits_for: 0 },
  });
  await world.deliverAll();
  expect(await world.run(run)).toMatchObject({ status: "COMPLETED" });
  expect(await world.job(run_id)).toMatchObject({
    status: "completed",
    attempt: 2,
    max_attempts: 2,
    error: null,
  });
});
