import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cancelComponentRun } from "../../shared/runs/index.ts";
import type { AcceptedRun } from "../../shared/schemas/runs/run.ts";
import type { Db } from "../../shared/stores/db.ts";
import { recordRunCancellation } from "../../shared/stores/runs/run-cancellation.ts";
import { startStores, type TestStores } from "../support/stores.ts";
import { accepted, aFront, always } from "./a-front.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const ANSWER_MS = 100;
const ABORT_MS = 200;
/** When the client is answered, and when the function would be cut off, which lives for 20 s. */
const soon = {
  ...always({ yieldAfterMs: 20_000, abortAfterMs: 20_000 }),
  answer: { yieldAfterMs: ANSWER_MS, abortAfterMs: ABORT_MS },
};

type Front = ReturnType<typeof aFront>;
const cancel = (front: Front, { run_id, session_id }: AcceptedRun) => {
  const { component, headers, principal, signal, invocation } = front.request("");
  const request = { component, headers, principal, signal, invocation, body: undefined };
  return cancelComponentRun({ ...request, params: { run_id }, query: { session_id } }, front);
};

test("the model call that lasts is finished by the function that has it, after its client was answered", async () => {
  const front = aFront(stores.db, soon, { LOCK_GRACE_SECONDS: 5 });
  front.timePassesInModelCalls([1], ANSWER_MS);
  const run = await accepted(front.askLasting("[[sleep:600]]done"));
  expect(run).toEqual({ run_id: run.run_id, session_id: run.session_id, status: "PENDING" });
  const job = await front.job(run.run_id);
  expect(job).toMatchObject({ status: "running", attempt: 1, locked_by: expect.stringMatching(/^worker-/) });
  expect((await front.run(run))?.status).toBe("RUNNING");
  // Should this function die, a check of its lock falls due with the lock. It is asked for beside the execution.
  await expect.poll(() => front.lockChecks.dueAt).toHaveLength(1);
  await front.afterAnswers();
  expect(front.queue.sent).toEqual([]);
  expect(await front.job(run.run_id)).toMatchObject({ status: "completed", attempt: 1, locked_by: null });
  expect((await front.run(run))?.output).toMatchObject({ status: "COMPLETED", content: "You said: done" });
  expect(front.modelCalls()).toBe(1);
  const events = await front.events(run.run_id);
  expect(events.map(({ event_index }) => event_index)).toEqual(events.map((_, index) => index));
  expect(events.at(-1)?.event).toBe("RunCompleted");
});

test("a run of several steps is handed off after the step, and nothing is done twice", async () => {
  const front = aFront(stores.db, soon);
  front.onCall(async () => {
    front.clock.advance(ANSWER_MS);
    await pause(300);
  });
  const run = await accepted(front.askLasting("[[tool:count {}]][[tool:count {}]][[sleep:1]]"));
  await front.afterAnswers();
  expect(await front.job(run.run_id)).toMatchObject({ status: "running", attempt: 1, locked_by: "hop-1" });
  expect([front.calls(), front.modelCalls()]).toEqual([1, 1]);
  await front.deliverSent();
  expect(await front.job(run.run_id)).toMatchObject({ status: "completed", attempt: 1 });
  expect([front.calls(), front.modelCalls()]).toEqual([2, 3]);
  const events = await front.events(run.run_id);
  expect(events.map(({ event_index }) => event_index)).toEqual(events.map((_, index) => index));
  expect(events.filter(({ event }) => event === "ToolCallStarted")).toHaveLength(2);
});

test("a cancellation reaches the function that works on", async () => {
  const front = aFront(stores.db, soon);
  front.timePassesInModelCalls([1], ANSWER_MS);
  const run = await accepted(front.askLasting("[[sleep:20000]]"));
  await cancel(front, run);
  front.clock.advance(2_000);
  await front.afterAnswers();
  expect(await front.job(run.run_id)).toMatchObject({ status: "cancelled", attempt: 1 });
  expect((await front.run(run))?.status).toBe("CANCELLED");
});

test("a cancellation that was read as one of a run without a job is recorded on the job it has by now", async () => {
  const front = aFront(stores.db, soon);
  front.timePassesInModelCalls([1], ANSWER_MS);
  const run = await accepted(front.askLasting("[[sleep:20000]]"));
  const at = { owner: "maria", ...run };
  expect(await recordRunCancellation(stores.db, at, front.clock.now() / 1000 + 60)).toBe(false);
  await cancel(front, run);
  front.clock.advance(2_000);
  await front.afterAnswers();
  expect((await front.run(run))?.status).toBe("CANCELLED");
});

test("a cancellation before the answer is due gives the run no job", async () => {
  const front = aFront(stores.db, soon);
  const session_id = "cancelled-early";
  front.onCall(async (run_id) => {
    await recordRunCancellation(
      stores.db,
      { owner: "maria", session_id, run_id },
      front.clock.now() / 1000 + 60,
    );
    front.clock.advance(ANSWER_MS);
    await pause(300);
  });
  const run = await front.askLasting("[[tool:count {}]][[sleep:1]]", { session_id });
  expect(run).toMatchObject({ status: "CANCELLED" });
  expect(await front.job((run as { run_id: string }).run_id)).toBeUndefined();
});

test("a function that dies while it works on loses the run to a worker, which resumes it after its last step", async () => {
  const front = aFront(stores.db, soon);
  front.timePassesInModelCalls([2], ANSWER_MS);
  // The clock of a process that freezes as it answers wakes nothing: no heartbeat is sent.
  const sleep = (ms: number, signal?: AbortSignal) =>
    ms === ANSWER_MS
      ? front.clock.sleep(ms, signal)
      : new Promise<never>((_, reject) => signal?.addEventListener("abort", reject));
  const frozen = { ...front.clock, sleep };
  const run = await accepted(front.askLasting("[[tool:count {}]][[sleep:900]]", {}, { clock: frozen }));
  expect(front.calls()).toBe(1);
  front.clock.advance(120_000);
  await front.sweep();
  expect(await front.job(run.run_id)).toMatchObject({ status: "queued", attempt: 1, max_attempts: 2 });
  const working = front.deliverSent();
  await front.afterAnswers();
  await working;
  expect(await front.job(run.run_id)).toMatchObject({ status: "completed", attempt: 2 });
  expect((await front.run(run))?.output).toMatchObject({ status: "COMPLETED", content: "call 1" });
  // The one that was under way in the dead function, and the same again.
  expect([front.calls(), front.modelCalls()]).toEqual([1, 3]);
  const events = await front.events(run.run_id);
  expect(events.map(({ event_index }) => event_index)).toEqual(events.map((_, index) => index));
  expect(events.filter(({ event }) => event === "RunCompleted")).toHaveLength(1);
});

test("a failure after the answer is tried again as the job's attempts allow, and ends visibly", async () => {
  const front = aFront(stores.db, soon);
  front.timePassesInModelCalls([1], ANSWER_MS);
  const run = await accepted(front.askLasting("[[sleep:300]][[fail:boom]]"));
  await front.afterAnswers();
  front.clock.advance(600_000);
  await front.deliverSent();
  expect(await front.job(run.run_id)).toMatchObject({
    status: "failed",
    error: expect.stringContaining("boom"),
  });
  expect((await front.run(run))?.status).toBe("ERROR");
});

/** The store, whose writes that give a run its job fail so many times: before they are done, or after. */
function dbThatLoses(times: number, when: "the write" | "the answer"): Db {
  let lost = 0;
  const client = new Proxy(stores.db.client, {
    get: (target, name) =>
      name !== "send"
        ? Reflect.get(target, name)
        : async (command: { input: { TransactItems?: unknown } }) => {
            const isMove = JSON.stringify(command.input.TransactItems ?? []).includes('"job#');
            if (!isMove || lost === times) return target.send(command as never);
            lost += 1;
            if (when === "the answer") await target.send(command as never).catch(() => undefined);
            throw new Error("the connection broke");
          },
  });
  return { ...stores.db, client };
}

test.each(["the write", "the answer"] as const)(
  "a run that is to get a job gets it although %s is lost",
  async (what) => {
    const front = aFront(stores.db, soon);
    front.timePassesInModelCalls([1], ANSWER_MS);
    const run = await accepted(front.askLasting("[[sleep:600]]", {}, { db: dbThatLoses(2, what) }));
    await front.afterAnswers();
    expect(await front.job(run.run_id)).toMatchObject({ status: "completed", attempt: 1 });
    expect((await front.run(run))?.status).toBe("COMPLETED");
    expect(front.modelCalls()).toBe(1);
  },
);

test("a run that got no job in time is cut off, and queued", async () => {
  const front = aFront(stores.db, soon);
  front.timePassesInModelCalls([1], ABORT_MS);
  const run = await accepted(front.askLasting("[[sleep:2000]]", {}, { db: dbThatLoses(4, "the write") }));
  expect(await front.job(run.run_id)).toMatchObject({ status: "queued", attempt: 1 });
  await front.deliverSent();
  expect(await front.job(run.run_id)).toMatchObject({ status: "completed", attempt: 2 });
});

test("a run of which it is unknown whether it has a job is left to the sweeper, and ends once", async () => {
  const front = aFront(stores.db, { ...soon, answer: { yieldAfterMs: ANSWER_MS, abortAfterMs: 10_000 } });
  front.timePassesInModelCalls([2], ANSWER_MS);
  let id = "";
  front.onCall(async (runId) => {
    id = runId;
  });
  const db = dbThatLoses(4, "the answer");
  const answer = front.askLasting("[[tool:count {}]][[sleep:900]]", {}, { db });
  await expect(answer).rejects.toThrow("it is not known whether the run has a job");
  expect(await front.job(id)).toMatchObject({ status: "running", attempt: 1 });
  front.clock.advance(120_000);
  await front.sweep();
  await front.deliverSent();
  expect(await front.job(id)).toMatchObject({ status: "completed", attempt: 2 });
  expect(front.calls()).toBe(1);
});

test("of two runs whose clients were answered, a third of the same function is not touched", async () => {
  const front = aFront(stores.db, soon);
  front.timePassesInModelCalls([1, 2], ANSWER_MS);
  const [first, second] = await Promise.all([
    accepted(front.askLasting("[[sleep:400]]one")),
    accepted(front.askLasting("[[sleep:20000]]two")),
  ]);
  const third = front.askLasting("three");
  await cancel(front, second);
  front.clock.advance(2_000);
  await front.afterAnswers();
  expect(await third).toMatchObject({ status: "COMPLETED" });
  expect((await front.run(first))?.status).toBe("COMPLETED");
  expect((await front.run(second))?.status).toBe("CANCELLED");
});
