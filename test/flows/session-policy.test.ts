import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cancelRun } from "../../shared/engine/lifecycle/cancel-run.ts";
import { createComponentRun } from "../../shared/runs/index.ts";
import type { AcceptedRun } from "../../shared/schemas/runs/run.ts";
import type { SessionPolicy } from "../../shared/schemas/sessions/session-policy.ts";
import { moveJob } from "../../shared/stores/jobs/move-job.ts";
import { listWaiting, type WaitingJob } from "../../shared/stores/jobs/waiting-jobs.ts";
import { listRuns } from "../../shared/stores/runs/listing/list-runs.ts";
import { startRun } from "../../shared/stores/transactions/start-run.ts";
import { type QueueWorld, queueWorld } from "../support/queue-world.ts";
import { aJob, aRunOf, T0 } from "../support/records.ts";
import { startStores, type TestStores } from "../support/stores.ts";
import { watchedDb } from "../support/watched-db.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const follow = (world: QueueWorld, { session_id }: AcceptedRun, session_policy: SessionPolicy) =>
  world.submit("the next", { session_id, session_policy });
const statusOf = async (world: QueueWorld, { run_id }: AcceptedRun) => (await world.job(run_id))?.status;
/** A worker holds the job, and goes silent. */
const claimedByAnotherWorker = (world: QueueWorld, { run_id }: AcceptedRun) =>
  moveJob(stores.db, run_id, "claim", {
    now: Math.floor(world.clock.now() / 1000),
    worker: "another-worker",
  });
async function cancel(world: QueueWorld, accepted: AcceptedRun): Promise<void> {
  const run = await world.run(accepted);
  if (!run) throw new Error("the run is gone");
  await cancelRun(stores.db, run, Math.floor(world.clock.now() / 1000), 86_400);
}

async function notes(): Promise<WaitingJob[]> {
  const all: WaitingJob[] = [];
  for await (const note of listWaiting(stores.db)) all.push(note);
  return all;
}

describe("session_policy=queue", () => {
  test("waits without a message for the live run of its session, whose end sends one", async () => {
    const world = queueWorld(stores.db);
    const first = await world.submit("first");
    const second = await follow(world, first, "queue");
    world.queue.sent.splice(0);
    await world.deliver(second.run_id);
    expect(await world.job(second.run_id)).toMatchObject({ status: "queued", attempt: 0 });
    expect(world.queue.sent).toEqual([]);
    await world.deliver(first.run_id);
    expect(world.queue.sent).toEqual([{ job_id: second.run_id, user_id: "maria" }]);
    await world.deliverAll();
    expect(await statusOf(world, second)).toBe("completed");
    expect(await notes()).toEqual([]);
  });

  test("is sent a wake-up by the cancellation of what it waits for, and by the end of a foreground run", async () => {
    const world = queueWorld(stores.db);
    const first = await world.submit("first");
    const second = await follow(world, first, "queue");
    const third = await follow(world, first, "queue");
    await world.deliver(third.run_id);
    const record = await world.run(second);
    const toWake =
      record && (await cancelRun(stores.db, record, Math.floor(world.clock.now() / 1000), 86_400));
    expect(toWake).toEqual([{ job_id: third.run_id, user_id: "maria" }]);
    await world.deliver(third.run_id);
    expect(await statusOf(world, third)).toBe("queued");
    await world.deliver(first.run_id);
    await world.deliver(third.run_id);
    expect(await statusOf(world, third)).toBe("completed");
  });

  test("is the policy of background runs that name none, as the instance is set", async () => {
    const submitted = async (SESSION_POLICY: "queue" | "parallel") => {
      const world = queueWorld(stores.db, { SESSION_POLICY });
      const first = await world.submit("first");
      const second = await world.submit("second", {
        session_id: first.session_id,
        session_policy: undefined,
      });
      return (await world.job(second.run_id))?.waits_for;
    };
    expect(await submitted("queue")).toHaveLength(1);
    expect(await submitted("parallel")).toBeUndefined();
  });

  test("keeps the order of acceptance, whatever the order of the messages", async () => {
    const world = queueWorld(stores.db);
    const runs = [await world.submit("0")];
    for (let i = 1; i < 4; i += 1) runs.push(await follow(world, runs[0] as AcceptedRun, "queue"));
    const order: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      for (const run of runs.toReversed()) {
        await world.deliver(run.run_id);
        if ((await statusOf(world, run)) === "completed" && !order.includes(run.run_id))
          order.push(run.run_id);
      }
    }
    expect(order).toEqual(runs.map(({ run_id }) => run_id));
  });

  test("does not wait for a paused run, nor for one that was cancelled while it waited itself", async () => {
    const world = queueWorld(stores.db);
    const paused = await world.submit('[[tool:issue_refund {"order_id":"o","amount":1}]]');
    await world.deliver(paused.run_id, { findRunnable: async () => world.agent("refund-desk") });
    expect(await statusOf(world, paused)).toBe("paused");
    const second = await follow(world, paused, "queue");
    const third = await follow(world, paused, "queue");
    await cancel(world, second);
    await world.deliver(third.run_id);
    expect(await statusOf(world, third)).toBe("completed");
  });

  test("ends its wait with a foreground run whose process is gone", async () => {
    const world = queueWorld(stores.db);
    const first = await world.submit("first");
    await world.deliver(first.run_id);
    const foreground = aRunOf(aJob({ session_id: first.session_id }), {
      status: "RUNNING",
      queued: false,
      lease_until: T0 + 930,
    });
    await startRun(stores.db, foreground, { newSession: undefined });
    const second = await follow(world, first, "queue");
    await world.deliver(second.run_id);
    expect(await statusOf(world, second)).toBe("queued");
    world.clock.advance(931_000);
    await world.deliver(second.run_id);
    expect(await statusOf(world, second)).toBe("completed");
  });

  test("waits once: a retry and a requeue of a run whose turn has come are not held up", async () => {
    const world = queueWorld(stores.db, { MAX_ATTEMPTS: 2 });
    const first = await world.submit("first");
    const second = await world.submit("[[fail:boom]]", {
      session_id: first.session_id,
      session_policy: "queue",
    });
    await world.deliver(first.run_id);
    await world.deliver(second.run_id);
    expect(await world.job(second.run_id)).toMatchObject({ status: "queued", attempt: 1 });
    await claimedByAnotherWorker(world, await follow(world, first, "parallel"));
    world.clock.advance(31_000);
    await world.deliver(second.run_id);
    expect(await world.job(second.run_id)).toMatchObject({ status: "failed", attempt: 2 });
  });

  test("is not shown on the wire, neither as payload nor as a field", async () => {
    const world = queueWorld(stores.db);
    const first = await world.submit("first");
    const second = await follow(world, first, "queue");
    expect(await world.job(second.run_id)).toMatchObject({
      payload: { input: "the next", kwargs: {} },
      waits_for: [first.run_id],
    });
    expect((await world.run(second))?.kwargs).toEqual({});
  });

  test("is refused for a foreground run, which cannot wait", async () => {
    const world = queueWorld(stores.db);
    const request = world.request("now", { background: false, session_policy: "queue" });
    await expect(createComponentRun(request, world)).rejects.toMatchObject({
      code: "BAD_REQUEST",
      message: expect.stringContaining("background=true"),
    });
  });
});

describe("session_policy=reject", () => {
  test.each([true, false])("refuses beside a live run and names it (background=%s)", async (background) => {
    const world = queueWorld(stores.db);
    const first = await world.submit("first");
    const { session_id } = first;
    const request = world.request("second", { session_id, session_policy: "reject", background });
    await expect(createComponentRun(request, world)).rejects.toMatchObject({
      code: "CONFLICT",
      message: expect.stringContaining(first.run_id),
    });
    expect(await listRuns(stores.db, "maria", session_id, T0)).toHaveLength(1);
    await world.deliver(first.run_id);
    await expect(createComponentRun(request, world)).resolves.toBeDefined();
  });

  test.each([true, false])(
    "lets one of many pass that come at the same moment (new session: %s)",
    async (isNew) => {
      const world = queueWorld(stores.db);
      const session_id = `contended-${isNew}-${world.newSessionId()}`;
      if (!isNew) await world.deliver((await world.submit("first", { session_id })).run_id);
      const submitted = await Promise.allSettled(
        Array.from({ length: 6 }, () => world.submit("me", { session_id, session_policy: "reject" })),
      );
      expect(submitted.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      const reasons = submitted.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
      expect(new Set(reasons)).toEqual(new Set(["CONFLICT"]));
    },
  );

  test("answers a used idempotency key although its run is live", async () => {
    const world = queueWorld(stores.db);
    const first = await world.submit("first", { session_policy: "reject" }, "key-of-reject");
    const { session_id } = first;
    expect(await world.submit("first", { session_id, session_policy: "reject" }, "key-of-reject")).toEqual(
      first,
    );
  });
});

describe("session_policy=interrupt", () => {
  test("cancels what waits, and takes its place", async () => {
    const world = queueWorld(stores.db);
    const first = await world.submit("first");
    const second = await follow(world, first, "interrupt");
    expect(await statusOf(world, first)).toBe("cancelled");
    await world.deliver(second.run_id);
    expect(await statusOf(world, second)).toBe("completed");
  });

  test("wishes what is executed to stop, and starts when it has", async () => {
    const world = queueWorld(stores.db);
    const first = await world.submit("first");
    await claimedByAnotherWorker(world, first);
    const second = await follow(world, first, "interrupt");
    expect(await world.job(first.run_id)).toMatchObject({
      status: "running",
      cancel_until: expect.any(Number),
    });
    await world.deliver(second.run_id);
    expect(await statusOf(world, second)).toBe("queued");
    world.clock.advance(61_000);
    await world.sweep();
    expect(await statusOf(world, first)).toBe("cancelled");
    await world.deliver(second.run_id);
    expect(await statusOf(world, second)).toBe("completed");
  });

  test("leaves the runs of other sessions alone", async () => {
    const world = queueWorld(stores.db);
    const other = await world.submit("elsewhere");
    const first = await world.submit("first");
    await follow(world, first, "interrupt");
    expect(await statusOf(world, other)).toBe("queued");
  });
});

test("many that queue at the same moment are all accepted, each behind the ones before it", async () => {
  const world = queueWorld(stores.db);
  const first = await world.submit("first");
  const runs = await Promise.all(Array.from({ length: 5 }, () => follow(world, first, "queue")));
  const waits = await Promise.all(
    runs.map(async ({ run_id }) => (await world.job(run_id))?.waits_for?.length),
  );
  expect(waits.toSorted()).toEqual([1, 2, 3, 4, 5]);
});

test.each(["interrupt", "reject", "queue", "steer"] as const)(
  "a repetition that reads its session after its run was accepted is answered with that run (%s)",
  async (session_policy) => {
    const world = queueWorld(stores.db);
    const { session_id } = await world.submit("first");
    await world.deliverAll();
    const submit = (by: QueueWorld) => by.submit("the next", { session_id, session_policy }, session_policy);
    let accepted: AcceptedRun | undefined;
    const late = watchedDb(stores.db, {
      before: async ({ input }) => {
        if (accepted || (input as { TableName?: string }).TableName !== stores.db.tables.sessions) return;
        accepted = await submit(world);
      },
    });
    const repeated = await submit(queueWorld(late));
    expect(repeated).toEqual(accepted);
    const job = await world.job(repeated.run_id);
    expect(job).toMatchObject({ status: "queued" });
    expect(job).not.toHaveProperty("cancel_until");
    await world.deliver(repeated.run_id);
    expect(await world.run(repeated)).toMatchObject({
      status: "COMPLETED",
      output: { input: { input_content: "the next" } },
    });
  },
);
