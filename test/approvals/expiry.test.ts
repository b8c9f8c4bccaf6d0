import { afterAll, beforeAll, expect, test } from "vitest";
import { resolveApproval } from "../../functions/runs/resolve-approval.ts";
import { createComponentRun } from "../../shared/runs/index.ts";
import type { RunOutput } from "../../shared/schemas/runs/run.ts";
import { getApproval } from "../../shared/stores/approvals/approval-item.ts";
import { type QueueWorld, queueWorld } from "../support/queue-world.ts";
import { T0 } from "../support/records.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const message = '[[tool:close_account {"account":"K-7"}]]';
const closing = (world: QueueWorld, background: boolean) => ({
  ...world.request(message, { background }),
  component: { kind: "agent" as const, id: "account-desk" },
});

/** A run that waits for an approval, started in the foreground. */
async function waiting(world: QueueWorld): Promise<RunOutput> {
  return (await createComponentRun(closing(world, false), world)) as RunOutput; // as it answers without a stream
}

const approvalOf = ({ tools = [] }: RunOutput) => getApproval(stores.db, tools[0]?.approval_id ?? "none");

const resolve = (world: QueueWorld, { tools = [] }: RunOutput) =>
  resolveApproval(
    {
      params: { approval_id: tools[0]?.approval_id ?? "none" },
      query: {},
      body: { status: "approved" as const },
      headers: {},
      principal: { kind: "user", user_id: "lead", scopes: [], admin: true },
      signal: new AbortController().signal,
      invocation: {},
    },
    world,
  );

test("an approval that is not given in time expires, and its run is cancelled with it", async () => {
  const world = queueWorld(stores.db, { APPROVAL_EXPIRES_SECONDS: 600 });
  const run = await waiting(world);
  expect(await approvalOf(run)).toMatchObject({ status: "pending", expires_at: T0 + 600 });
  world.clock.advance(599_000);
  expect(await world.sweep()).toMatchObject({ expired: 0 });
  world.clock.advance(1_000);
  await expect(resolve(world, run)).rejects.toMatchObject({
    code: "CONFLICT",
    message: expect.stringMatching(/^approval \S+ expired at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  });
  expect(await world.sweep()).toMatchObject({ expired: 1 });
  expect(await approvalOf(run)).toMatchObject({
    status: "expired",
    run_status: "CANCELLED",
    updated_at: T0 + 600,
  });
  const ended = await world.run(run);
  expect(ended).toMatchObject({
    status: "CANCELLED",
    output: { content: expect.stringContaining("in time") },
  });
  expect(await world.sweep()).toMatchObject({ expired: 0 });
});

test("a queued run that waits for it is cancelled together with its job", async () => {
  const world = queueWorld(stores.db, { APPROVAL_EXPIRES_SECONDS: 600 });
  await createComponentRun(closing(world, true), world);
  const jobId = world.queue.sent[0]?.job_id ?? "none";
  await world.deliverAll();
  expect(await world.job(jobId)).toMatchObject({ status: "paused" });
  world.clock.advance(600_000);
  expect(await world.sweep()).toMatchObject({ expired: 1 });
  expect(await world.job(jobId)).toMatchObject({
    status: "cancelled",
    error: expect.stringContaining("in time"),
  });
});

test("a decision that came first stands, whatever the sweeper finds later", async () => {
  const world = queueWorld(stores.db, { APPROVAL_EXPIRES_SECONDS: 600 });
  const run = await waiting(world);
  await resolve(world, run);
  world.clock.advance(700_000);
  expect(await world.sweep()).toMatchObject({ expired: 0 });
  expect(await approvalOf(run)).toMatchObject({ status: "approved", run_status: "PAUSED" });
  expect((await world.run(run))?.status).toBe("PAUSED");
});

test("approvals wait for ever unless the platform is configured otherwise", async () => {
  const world = queueWorld(stores.db);
  const run = await waiting(world);
  expect(await approvalOf(run)).toMatchObject({ expires_at: null });
  world.clock.advance(365 * 86_400_000);
  expect(await world.sweep()).toMatchObject({ expired: 0 });
});
