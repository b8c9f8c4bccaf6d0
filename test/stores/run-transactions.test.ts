import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countJobs } from "../../shared/stores/jobs/counters.ts";
import { findKeyedRun } from "../../shared/stores/jobs/idempotency-key.ts";
import { getJob, runOf, type StoredJob } from "../../shared/stores/jobs/job-item.ts";
import { type Fence, moveJob } from "../../shared/stores/jobs/move-job.ts";
import { readEvents } from "../../shared/stores/runs/events.ts";
import { getRun } from "../../shared/stores/runs/get-run.ts";
import { markRunning } from "../../shared/stores/runs/mark-running.ts";
import type { StoredRun } from "../../shared/stores/runs/run-item.ts";
import { getSession } from "../../shared/stores/sessions/session-item.ts";
import { acceptRun } from "../../shared/stores/transactions/accept-run.ts";
import { commitEnding } from "../../shared/stores/transactions/commit-ending.ts";
import type { Ending } from "../../shared/stores/transactions/ending.ts";
import { failRun } from "../../shared/stores/transactions/fail-run.ts";
import { requeueRun } from "../../shared/stores/transactions/requeue-run.ts";
import { startRun } from "../../shared/stores/transactions/start-run.ts";
import { aJob, aRunOf, aSessionOf, T0 } from "../support/records.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const DAY = 86_400;
const END_OF_LIFE = Math.ceil((T0 + 10 + DAY) / 3600) * 3600;

async function accepted(changed: Parameters<typeof aJob>[0] = {}): Promise<StoredJob> {
  const job = aJob(changed);
  const result = await acceptRun(stores.db, { job, run: aRunOf(job), newSession: aSessionOf(job) }, T0);
  expect(result).toEqual({ accepted: true });
  return job;
}

async function claimed(changed: Parameters<typeof aJob>[0] = {}, worker = "worker-a") {
  const { id } = await accepted(changed);
  const claim = await moveJob(stores.db, id, "claim", { now: T0 + 1, worker });
  if (!claim.moved) throw new Error("the claim was lost");
  await markRunning(stores.db, runOf(claim.job), claim.job.attempt, T0 + 1);
  return { job: claim.job, fence: { now: T0 + 10, worker, attempt: claim.job.attempt } };
}

function ending(job: StoredJob, fence: Fence, changed: Partial<Ending> = {}): Ending {
  const output = { ...aRunOf(job).output, status: "COMPLETED" as const, content: "done" };
  return {
    at: runOf(job),
    attempt: job.attempt,
    publishedRun: undefined,
    output,
    events: undefined,
    session: {
      metrics: { input_tokens: 2, output_tokens: 3, total_tokens: 5 },
      derived_name: "hello",
      now: T0 + 10,
    },
    job: { row: job, move: "complete", fence, change: { error: null }, retentionSeconds: DAY },
    ...changed,
  };
}

const counts = (now = T0 + 10) => countJobs(stores.db, ["completed", "failed", "cancelled"], now);

describe("accepting a run", () => {
  test("writes job, record and session together", async () => {
    const job = await accepted();
    expect(await getJob(stores.db, job.id, T0)).toMatchObject({
      status: "queued",
      attempt: 0,
      updated_at: null,
    });
    expect(await getRun(stores.db, runOf(job), T0)).toMatchObject({ status: "PENDING", queued: true });
    expect(await getSession(stores.db, job.session_id)).toMatchObject({ user_id: "maria", total_tokens: 0 });
  });

  test("of a session that was just created writes nothing", async () => {
    const first = await accepted();
    const job = aJob({ session_id: first.session_id });
    const result = await acceptRun(stores.db, { job, run: aRunOf(job), newSession: aSessionOf(job) }, T0);
    expect(result).toEqual({ accepted: false, because: "session_changed" });
    expect(await getJob(stores.db, job.id, T0)).toBeUndefined();
    expect(await getRun(stores.db, runOf(job), T0)).toBeUndefined();
  });

  test("that takes a turn in its session is refused when another took it since the session was read", async () => {
    const { session_id } = await accepted();
    const seen = await getSession(stores.db, session_id);
    const [one, two] = [aJob({ session_id }), aJob({ session_id })];
    const submit = (job: StoredJob, turnIn = seen) =>
      acceptRun(stores.db, { job, run: aRunOf(job), newSession: undefined, turnIn }, T0);
    expect(await submit(one)).toEqual({ accepted: true });
    expect(await submit(two)).toEqual({ accepted: false, because: "session_changed" });
    const foreground = aRunOf(aJob({ session_id }));
    expect(await startRun(stores.db, foreground, { newSession: undefined, turnIn: seen })).toEqual({
      written: false,
      because: "session_changed",
    });
    expect(await getRun(stores.db, foreground, T0)).toBeUndefined();
    expect(await submit(two, await getSession(stores.db, session_id))).toEqual({ accepted: true });
  });

  test("with a used idempotency key names the original and writes nothing", async () => {
    await accepted({ idempotency_key: "order-1" });
    const job = aJob({ idempotency_key: "order-1" });
    const result = await acceptRun(stores.db, { job, run: aRunOf(job), newSession: aSessionOf(job) }, T0);
    expect(result).toEqual({ accepted: false, because: "duplicate" });
    expect(await getJob(stores.db, job.id, T0)).toBeUndefined();
  });

  test("with the same key of another user is another run", async () => {
    await accepted({ idempotency_key: "order-2" });
    await accepted({ idempotency_key: "order-2", user_id: "otto", owner: "otto" });
  });

  test("twenty times at once with one key happens once", async () => {
    const results = await Promise.all(
      Array.from({ length: 20 }, () => {
        const job = aJob({ idempotency_key: "order-3" });
        return acceptRun(stores.db, { job, run: aRunOf(job), newSession: aSessionOf(job) }, T0);
      }),
    );
    expect(results.filter((result) => result.accepted)).toHaveLength(1);
  });
});

describe("finishing a run", () => {
  test("changes record, job, session and counters together", async () => {
    const before = await counts();
    const { job, fence } = await claimed();
    expect(await commitEnding(stores.db, ending(job, fence))).toEqual({ waiting: [] });
    expect(await getJob(stores.db, job.id, T0 + 10)).toMatchObject({
      status: "completed",
      completed_at: T0 + 10,
      locked_by: null,
      locked_at: null,
      expires_at: END_OF_LIFE,
    });
    expect(await getRun(stores.db, runOf(job), T0)).toMatchObject({
      status: "COMPLETED",
      output: { content: "done" },
    });
    expect(await getSession(stores.db, job.session_id)).toMatchObject({
      total_tokens: 5,
      updated_at: T0 + 10,
    });
    expect((await counts()).completed).toBe((before.completed ?? 0) + 1);
  });

  test("is refused whole when another worker holds the job", async () => {
    const { job, fence } = await claimed();
    const late = ending(job, { ...fence, worker: "worker-b" });
    expect(await commitEnding(stores.db, late)).toBeUndefined();
    expect(await getRun(stores.db, runOf(job), T0)).toMatchObject({ status: "RUNNING" });
    expect(await getSession(stores.db, job.session_id)).toMatchObject({ total_tokens: 0 });
  });

  test("still works when the session has gone", async () => {
    const { job, fence } = await claimed();
    await stores.db.client.send(
      new DeleteCommand({
        TableName: stores.db.tables.sessions,
        Key: { pk: `session#${job.session_id}`, sk: "session" },
      }),
    );
    expect(await commitEnding(stores.db, ending(job, fence))).toEqual({ waiting: [] });
    expect(await getSession(stores.db, job.session_id)).toBeUndefined();
  });

  test("twenty times in one session at once loses no token", async () => {
    const first = await claimed();
    const others = await Promise.all(
      Array.from({ length: 19 }, async () => {
        const job = aJob({ session_id: first.job.session_id });
        await acceptRun(stores.db, { job, run: aRunOf(job), newSession: undefined }, T0);
        const claim = await moveJob(stores.db, job.id, "claim", { now: T0 + 1, worker: "worker-a" });
        if (!claim.moved) throw new Error("the claim was lost");
        return { job: claim.job, fence: { now: T0 + 10, worker: "worker-a", attempt: 1 } };
      }),
    );
    const all = [first, ...others];
    const ended = await Promise.all(all.map(({ job, fence }) => commitEnding(stores.db, ending(job, fence))));
    expect(ended.every(Boolean)).toBe(true);
    expect(await getSession(stores.db, first.job.session_id)).toMatchObject({ total_tokens: 100 });
  });

  test("lets the idempotency key live exactly as long as the job", async () => {
    const { job, fence } = await claimed({ idempotency_key: "order-4" });
    await commitEnding(stores.db, ending(job, fence));
    expect(await findKeyedRun(stores.db, "maria", "order-4", END_OF_LIFE - 1)).toMatchObject({
      run_id: job.id,
    });
    expect(await findKeyedRun(stores.db, "maria", "order-4", END_OF_LIFE)).toBeUndefined();
    const next = aJob({ idempotency_key: "order-4" });
    const again = await acceptRun(
      stores.db,
      { job: next, run: aRunOf(next), newSession: aSessionOf(next) },
      END_OF_LIFE,
    );
    expect(again).toEqual({ accepted: true });
  });
});

describe("a run record", () => {
  test("that has completed refuses every attempt", async () => {
    const { job, fence } = await claimed();
    await commitEnding(stores.db, ending(job, fence));
    const marked = await markRunning(stores.db, runOf(job), 9, T0);
    expect(marked).toMatchObject({ started: false, seen: { status: "COMPLETED" } });
  });

  test("that a later attempt has written refuses the earlier one", async () => {
    const { job } = await claimed();
    await markRunning(stores.db, runOf(job), 2, T0);
    const marked = await markRunning(stores.db, runOf(job), 1, T0);
    expect(marked).toMatchObject({ started: false, seen: { attempt: 2 } });
  });

  test("of a foreground run whose process must be gone reads as failed", async () => {
    const job = aJob();
    const run: StoredRun = aRunOf(job, { status: "RUNNING", queued: false, lease_until: T0 + 5 });
    await acceptRun(stores.db, { job, run, newSession: undefined }, T0);
    expect(await getRun(stores.db, runOf(job), T0 + 5)).toMatchObject({ status: "RUNNING" });
    expect(await getRun(stores.db, runOf(job), T0 + 6)).toMatchObject({
      status: "ERROR",
      output: { status: "ERROR", content: expect.stringContaining("ended before") },
    });
  });

  test("is kept under its owner's key: no other owner's key leads to it", async () => {
    const { job } = await claimed({ user_id: "a", owner: "a", session_id: "b#c" });
    expect(await getRun(stores.db, { ...runOf(job), owner: "a#b", session_id: "c" }, T0)).toBeUndefined();
    expect(await getRun(stores.db, { ...runOf(job), owner: null }, T0)).toBeUndefined();
  });
});

describe("failing a run from outside", () => {
  test("leaves the same text on job, record and stream", async () => {
    const { job, fence } = await claimed();
    const stale: Fence = { now: fence.now, staleBefore: fence.now };
    expect(
      await failRun(stores.db, job, "abandon", stale, "gone", {
        JOB_RETENTION_SECONDS: DAY,
        MAX_ATTEMPTS: 1,
      }),
    ).toMatchObject({ waiting: [] });
    expect(await getJob(stores.db, job.id, T0)).toMatchObject({ status: "failed", error: "gone" });
    expect(await getRun(stores.db, runOf(job), T0)).toMatchObject({
      status: "ERROR",
      output: { content: "gone" },
    });
    const run = await getRun(stores.db, runOf(job), T0);
    const { events } = await readEvents(stores.db, run ?? runOf(job));
    expect(events).toMatchObject([{ event: "RunError", content: "gone", event_index: 0 }]);
  });

  test("is refused while the worker still shows signs of life", async () => {
    const { job, fence } = await claimed();
    const tooSoon: Fence = { now: fence.now, staleBefore: T0 };
    expect(
      await failRun(stores.db, job, "abandon", tooSoon, "gone", {
        JOB_RETENTION_SECONDS: DAY,
        MAX_ATTEMPTS: 1,
      }),
    ).toBeUndefined();
    expect(await getRun(stores.db, runOf(job), T0)).toMatchObject({ status: "RUNNING" });
  });
});

test("a late write of an execution without a job does not undo that it failed", async () => {
  const job = aJob();
  const started = { ...aRunOf(job), queued: false, status: "RUNNING" as const, attempt: 1 };
  const at = runOf(job);
  const opened = await startRun(stores.db, started, { newSession: aSessionOf(job), turnIn: undefined });
  expect(opened).toMatchObject({ written: true });
  const { output, session } = ending(job, { now: T0 });
  const end = { at, attempt: 1, publishedRun: undefined, output, session, events: undefined, job: undefined };
  const failure = output && { ...output, status: "ERROR" as const, content: "broken off" };
  expect(await commitEnding(stores.db, { ...end, output: failure })).toBeDefined();
  expect(await commitEnding(stores.db, end)).toBeUndefined();
  expect(await getRun(stores.db, at, T0)).toMatchObject({
    status: "ERROR",
    output: { content: "broken off" },
  });
});

describe("requeueing", () => {
  test("takes job, record and counters back in one step, and only once", async () => {
    const { job, fence } = await claimed({ idempotency_key: "order-5" });
    await failRun(stores.db, job, "abandon", { ...fence, staleBefore: fence.now }, "gone", {
      JOB_RETENTION_SECONDS: DAY,
      MAX_ATTEMPTS: 1,
    });
    const before = await counts();
    const failed = await getJob(stores.db, job.id, T0 + 10);
    if (!failed) throw new Error("the job is gone");
    const plan = { max_attempts: 2, attempt_ceiling: 2, clearsCancellation: false };
    const run = await getRun(stores.db, runOf(job), T0);
    expect(await requeueRun(stores.db, failed, run, plan, T0 + 20)).toMatchObject({ status: "queued" });
    expect(await getJob(stores.db, job.id, T0 + 20)).toMatchObject({
      status: "queued",
      error: "gone",
      max_attempts: 2,
      available_at: T0 + 20,
      completed_at: null,
    });
    const pending = await getRun(stores.db, runOf(job), T0);
    expect(pending).toMatchObject({ status: "PENDING" });
    expect(pending?.output.content).toBeUndefined();
    expect((await counts()).failed).toBe((before.failed ?? 0) - 1);
    expect(await requeueRun(stores.db, failed, run, plan, T0 + 20)).toBeUndefined();
    expect(await findKeyedRun(stores.db, "maria", "order-5", END_OF_LIFE + DAY)).toMatchObject({
      run_id: job.id,
    });
  });
});
