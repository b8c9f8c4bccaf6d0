import { randomBytes } from "node:crypto";
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { getJob, runOf, wholeJob, wireJob } from "../../../shared/stores/jobs/job-item.ts";
import { getObject, putObject } from "../../../shared/stores/objects/object-bytes.ts";
import { sessionObjects } from "../../../shared/stores/objects/spill.ts";
import { getRun, getRunHead } from "../../../shared/stores/runs/get-run.ts";
import { listRecentRuns, listRuns } from "../../../shared/stores/runs/listing/list-runs.ts";
import type { StoredRun } from "../../../shared/stores/runs/run-item.ts";
import { runKey } from "../../../shared/stores/runs/run-keys.ts";
import { getSession, getSessionHead } from "../../../shared/stores/sessions/session-item.ts";
import { acceptRun } from "../../../shared/stores/transactions/accept-run.ts";
import { failRun } from "../../../shared/stores/transactions/fail-run.ts";
import { requeueRun } from "../../../shared/stores/transactions/requeue-run.ts";
import { startRun } from "../../../shared/stores/transactions/start-run.ts";
import { aJob, aRunOf, aSessionOf, T0 } from "../../support/records.ts";
import { startStores, type TestStores } from "../../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

/** Text that does not shrink by packing. */
const noise = (bytes: number): string => randomBytes(bytes / 2).toString("hex");

const withOutput = (run: StoredRun, output: Partial<StoredRun["output"]>): StoredRun => ({
  ...run,
  output: { ...run.output, ...output },
});

async function acceptLarge(input: string) {
  const job = aJob({ payload: { input, kwargs: { session_state: { cart: input } } } });
  const run = { ...aRunOf(job), kwargs: { session_state: { cart: input } } };
  const newSession = { ...aSessionOf(job), session_state: { cart: input }, derived_name: "large" };
  const submission = { job, run: withOutput(run, { session_state: { cart: input } }), newSession };
  expect(await acceptRun(stores.db, submission, T0)).toEqual({ accepted: true });
  return { job, run: submission.run };
}

describe("an object", () => {
  const prefix = sessionObjects("maria", "s-1");

  test("comes back as it was written, and the same bytes are one object", async () => {
    const first = await putObject(stores.db, prefix, Buffer.from("hello"));
    expect(await putObject(stores.db, prefix, Buffer.from("hello"))).toEqual(first);
    expect(Buffer.from(await getObject(stores.db, first)).toString()).toBe("hello");
    expect(first).toMatchObject({ bytes: 5, key: `${prefix}${first.sha256}` });
  });

  test("that is missing or damaged is an error that says so, never an empty answer", async () => {
    const pointer = await putObject(stores.db, prefix, Buffer.from("precious"));
    stores.objects.held.set(pointer.key, Buffer.from("precioux"));
    await expect(getObject(stores.db, pointer)).rejects.toThrow("missing or damaged");
    stores.objects.held.delete(pointer.key);
    await expect(getObject(stores.db, pointer)).rejects.toThrow("missing or damaged");
  });

  test.each([
    ["a#b", "a", "b"],
    ["a/b", "a", "b/c"],
    ["", null, "-"],
    ["x".repeat(2_000), "y", "x".repeat(2_000)],
  ])("of one owner's session lies under no other's prefix (%#)", (owner, otherOwner, session) => {
    const prefixes = [
      sessionObjects(owner, "s"),
      sessionObjects(otherOwner, session),
      sessionObjects(owner, session),
      sessionObjects(otherOwner, "s"),
    ];
    for (const one of prefixes) {
      expect(prefixes.filter((other) => other.startsWith(one))).toEqual([one]);
      expect(one.length + 64).toBeLessThan(1_024);
    }
  });

  test("goes with everything under its prefix", async () => {
    const doomed = sessionObjects("maria", "doomed");
    const gone = await putObject(stores.db, doomed, Buffer.from("1"));
    const kept = await putObject(stores.db, sessionObjects("maria", "doomed-2"), Buffer.from("1"));
    await stores.db.objects.removeAll(doomed);
    expect(stores.objects.held.has(gone.key)).toBe(false);
    expect(stores.objects.held.has(kept.key)).toBe(true);
  });
});

describe("a run that asks with more than an item may hold", () => {
  test.each([
    ["noise", noise(1_000_000)],
    ["text that packs well", "how many tickets are open? ".repeat(40_000)],
  ])("%s of 1 MB is accepted and read back whole", async (_what, input) => {
    const { job, run } = await acceptLarge(input);
    expect(await getRun(stores.db, runOf(job), T0)).toEqual(run);
    const stored = await getJob(stores.db, job.id, T0);
    expect(stored && (await wholeJob(stores.db, stored)).payload).toEqual(job.payload);
    expect((await getSession(stores.db, job.session_id))?.session_state).toEqual({ cart: input });
  });

  test("shows the beginning of it in a list of jobs, and says that it does", async () => {
    const { job } = await acceptLarge(noise(1_000_000));
    const stored = await getJob(stores.db, job.id, T0);
    const { payload } = wireJob(stored ?? job);
    expect(payload).toEqual({ input: job.payload.input.slice(0, 1_000), kwargs: {}, truncated: true });
  });

  test("keeps its items far below the service's limit", async () => {
    const { job } = await acceptLarge(noise(1_000_000));
    const Key = runKey(job.owner, job.session_id, job.id);
    const { Item } = await stores.db.client.send(new GetCommand({ TableName: stores.db.tables.runs, Key }));
    expect(JSON.stringify(Item).length).toBeLessThan(20_000);
  });

  test("is not accepted at all while the bucket is down", async () => {
    stores.objects.isDown = true;
    const job = aJob({ payload: { input: noise(1_000_000), kwargs: {} } });
    const submission = { job, run: aRunOf(job), newSession: aSessionOf(job) };
    await expect(acceptRun(stores.db, submission, T0)).rejects.toThrow("ECONNREFUSED");
    stores.objects.isDown = false;
    expect(await getJob(stores.db, job.id, T0)).toBeUndefined();
    expect(await getSession(stores.db, job.session_id)).toBeUndefined();
  });

  test("can be failed and requeued without its objects, and loses none of them", async () => {
    const { job, run } = await acceptLarge(noise(1_000_000));
    stores.objects.isDown = true;
    await failRun(stores.db, job, "failDeadLetter", { now: T0 }, "no worker took it", {
      JOB_RETENTION_SECONDS: 3_600,
      MAX_ATTEMPTS: 1,
    });
    const head = await getRunHead(stores.db, runOf(job), T0);
    expect(head).toMatchObject({ status: "ERROR", output: { content: "no worker took it" } });
    const failed = await getJob(stores.db, job.id, T0);
    if (!failed) throw new Error("the job is gone");
    const plan = { max_attempts: 2, attempt_ceiling: 1, clearsCancellation: false };
    expect(await requeueRun(stores.db, failed, head, plan, T0)).toMatchObject({ status: "queued" });
    stores.objects.isDown = false;
    expect((await getRun(stores.db, runOf(job), T0))?.output).toEqual(run.output);
  });

  test("whose object is damaged is an error, while what it stands at can still be read", async () => {
    const { job } = await acceptLarge(noise(1_000_000));
    for (const key of stores.objects.held.keys()) stores.objects.held.set(key, Buffer.from("x"));
    await expect(getRun(stores.db, runOf(job), T0)).rejects.toThrow("missing or damaged");
    await expect(getSession(stores.db, job.session_id)).rejects.toThrow("missing or damaged");
    expect(await getRunHead(stores.db, runOf(job), T0)).toMatchObject({ status: "PENDING" });
    expect(await getSessionHead(stores.db, job.session_id)).toMatchObject({ user_id: "maria" });
  });
});

describe("a session of 50 MB", () => {
  const RUNS = 25;
  const session = aJob().session_id;
  const message = (content: string) => ({
    id: "m",
    role: "assistant" as const,
    content,
    from_history: false,
    stop_after_tool_call: false,
    created_at: T0,
  });
  beforeAll(async () => {
    for (let n = 0; n < RUNS; n += 1) {
      const job = aJob({ session_id: session });
      const run = withOutput(aRunOf(job, { status: "COMPLETED" }), {
        messages: [message(noise(1_000_000))],
        content: noise(1_000_000),
      });
      await startRun(stores.db, run, { newSession: n === 0 ? aSessionOf(job) : undefined });
    }
  });

  test("is read whole where all of it is asked for", async () => {
    const runs = await listRuns(stores.db, "maria", session, T0);
    expect(JSON.stringify(runs).length).toBeGreaterThan(50_000_000);
  });

  test("gives a model its history from the messages of the latest runs, and fetches nothing else", async () => {
    const before = stores.objects.asked.get;
    const recent = await listRecentRuns(
      stores.db,
      { owner: "maria", session_id: session },
      { count: 3, counts: () => true },
      T0,
    );
    expect(recent.map((run) => run.output.messages?.[0]?.content?.length)).toEqual([1e6, 1e6, 1e6]);
    expect(stores.objects.asked.get - before).toBe(3);
  });
});
