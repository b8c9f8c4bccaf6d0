import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FunctionTimeout } from "../../shared/http/deadline.ts";
import { EventStream } from "../../shared/http/handler.ts";
import { createComponentRun } from "../../shared/runs/index.ts";
import type { RunOutput } from "../../shared/schemas/runs/run.ts";
import { readEvents } from "../../shared/stores/runs/events.ts";
import { listRuns } from "../../shared/stores/runs/listing/list-runs.ts";
import { recordRunCancellation } from "../../shared/stores/runs/run-cancellation.ts";
import { framesOf } from "../support/client.ts";
import { startStores, type TestStores } from "../support/stores.ts";
import { accepted, aFront, always } from "./a-front.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const atNextRest = always({ yieldAfterMs: 0, abortAfterMs: 20_000 });
const YIELD_MS = 100;
const ABORT_MS = 200;
const limits = always({ yieldAfterMs: YIELD_MS, abortAfterMs: ABORT_MS });
const untilItsEnd = always({ yieldAfterMs: 20_000, abortAfterMs: 20_000 });

const wholeRun = [
  "RunStarted",
  "ModelRequestStarted",
  "ModelRequestCompleted",
  "ToolCallStarted",
  "ToolCallCompleted",
  "ModelRequestStarted",
];

describe("a run that takes longer than its front waits", () => {
  test("is suspended at its next step, answered 202, and goes on in the queue without doing anything twice", async () => {
    const front = aFront(stores.db, limits);
    front.onCall(async () => front.clock.advance(YIELD_MS));
    const run = await accepted(front.ask("[[tool:count {}]]"));
    expect(front.calls()).toBe(1);
    expect(run).toEqual({ run_id: run.run_id, session_id: run.session_id, status: "PENDING" });
    expect(await front.job(run.run_id)).toMatchObject({ status: "running", attempt: 1, locked_by: "hop-1" });
    await front.deliverSent();
    expect(await front.job(run.run_id)).toMatchObject({ status: "completed", attempt: 1 });
    expect((await front.run(run))?.output).toMatchObject({ status: "COMPLETED" });
    expect([front.calls(), front.modelCalls()]).toEqual([1, 2]);
    const events = await front.events(run.run_id);
    expect(events.map(({ event }) => event).slice(0, wholeRun.length)).toEqual(wholeRun);
    expect(events.map(({ event_index }) => event_index)).toEqual(events.map((_, index) => index));
  });

  test("is cut off within a step that lasts, which is taken again and sent once", async () => {
    const front = aFront(stores.db, limits);
    front.timePassesInModelCalls([2], ABORT_MS);
    const run = await accepted(front.ask("[[tool:count {}]][[sleep:50]]"));
    expect(await front.job(run.run_id)).toMatchObject({ status: "queued", attempt: 1, max_attempts: 2 });
    await front.deliverSent();
    expect((await front.run(run))?.output).toMatchObject({ status: "COMPLETED" });
    expect(front.calls()).toBe(1);
    const events = await front.events(run.run_id);
    expect(events.map(({ event }) => event).slice(0, wholeRun.length)).toEqual(wholeRun);
  });

  test("is the queue's once its job is written, also where its front cannot read any more", async () => {
    const { db } = stores;
    let hasJob = false;
    const client = new Proxy(db.client, {
      get(target, name) {
        if (name !== "send") return Reflect.get(target, name);
        return async (command: {
          readonly constructor: { readonly name: string };
          readonly input: unknown;
        }) => {
          if (hasJob && command.constructor.name === "GetCommand")
            throw new Error("the store is not reached");
          const answer = await target.send(command as never);
          hasJob ||=
            JSON.stringify(command.input).includes(db.tables.jobs) &&
            /Transact/.test(command.constructor.name);
          return answer;
        };
      },
    });
    const session_id = "moved-then-blind";
    const front = aFront({ ...db, client }, limits);
    front.timePassesInModelCalls([2], ABORT_MS);
    await expect(front.ask("[[tool:count {}]][[sleep:50]]", { session_id })).rejects.toThrow();
    expect(hasJob).toBe(true);
    const [run] = await listRuns(db, "maria", session_id, front.clock.now() / 1000);
    expect([run?.status, run?.queued]).toEqual(["PENDING", true]);
  });

  test("ends its stream with a comment, and its record has the rest", async () => {
    const front = aFront(stores.db, atNextRest);
    const answer = await front.ask("[[tool:count {}]]", { stream: true });
    if (!(answer instanceof EventStream)) throw new Error("expected a stream");
    const parts: string[] = [];
    for await (const chunk of answer.chunks) parts.push(chunk);
    expect(parts.at(-1)).toMatch(/^: the run goes on.*\n\n$/);
    const streamed = framesOf(parts.join("")).map(({ data }) => data as { event: string; run_id: string });
    expect(streamed.map(({ event }) => event)).not.toContain("RunCompleted");
    const runId = streamed[0]?.run_id ?? "";
    await front.deliverSent();
    expect((await front.events(runId)).at(-1)?.event).toBe("RunCompleted");
  });

  test("is found by the sweeper when its message is lost", async () => {
    const front = aFront(stores.db, atNextRest);
    const { run_id } = await accepted(front.ask("[[tool:count {}]]"));
    front.queue.sent.length = 0;
    front.clock.advance(600_000);
    await front.sweep();
    expect(front.queue.sent.map(({ job_id }) => job_id)).toContain(run_id);
  });

  test.each([
    { when: "handed off after a step", passes: YIELD_MS, said: { tools: [{ result: "call 1" }] } },
    { when: "cut off within one", passes: ABORT_MS, said: {} },
  ])("ends cancelled, with what it did, where it was cancelled: $when", async (given) => {
    const front = aFront(stores.db, limits);
    const session_id = `s-${given.passes}`;
    front.onCall(async (run_id, signal) => {
      const at = { owner: "maria", session_id, run_id };
      await recordRunCancellation(stores.db, at, front.clock.now() / 1000 + 60);
      front.clock.advance(given.passes);
      if (given.passes === ABORT_MS) await once(signal, "abort");
    });
    const answer = await front.ask("[[tool:count {}]]", { session_id, stream: true });
    if (!(answer instanceof EventStream)) throw new Error("expected a stream");
    const parts: string[] = [];
    for await (const chunk of answer.chunks) parts.push(chunk);
    const streamed = framesOf(parts.join("")).map(({ data }) => data as { event: string; run_id: string });
    expect(streamed.map(({ event }) => event)).toContain("RunCancelled");
    const run_id = streamed[0]?.run_id ?? "";
    const run = await front.run({ run_id, session_id });
    expect(run?.output).toMatchObject({ status: "CANCELLED", ...given.said });
    expect(await front.job(run_id)).toBeUndefined();
    const { events } = await readEvents(stores.db, run ?? { run_id });
    expect(events.map(({ event_index }) => event_index)).toEqual(events.map((_, index) => index));
    expect(events.map(({ event }) => event)).toContain("RunCancelled");
  });
});

test("following a run ends with a comment when the function does, and not when the run does", async () => {
  const front = aFront(stores.db, untilItsEnd);
  const ending = new AbortController();
  const follow = async (signal: AbortSignal) => {
    const asked = { ...front.request("hello", { stream: true }), signal };
    const answer = await createComponentRun(asked, front);
    if (!(answer instanceof EventStream)) throw new Error("expected a stream");
    return answer.chunks;
  };
  const parts: string[] = [];
  const waiting = await follow(ending.signal);
  ending.abort(new FunctionTimeout("the function is about to end"));
  for await (const chunk of waiting) parts.push(chunk);
  expect(parts.at(-1)).toMatch(/^: the run goes on/);
  const whole = await follow(new AbortController().signal);
  await front.deliverAll();
  const followed: string[] = [];
  for await (const chunk of whole) followed.push(chunk);
  expect(framesOf(followed.join("")).at(-1)?.data).toMatchObject({ event: "RunCompleted" });
  expect(followed.at(-1)).not.toMatch(/^:/);
});

test("a run that ends in time is answered with itself, and has no job", async () => {
  const front = aFront(stores.db, untilItsEnd);
  const output = (await front.ask("[[tool:count {}]]")) as RunOutput;
  expect(output).toMatchObject({ status: "COMPLETED" });
  expect(await front.job(output.run_id)).toBeUndefined();
});

test("where the queue is off, a run has the time that its function has", async () => {
  const front = aFront(stores.db, atNextRest, { QUEUE_ENABLED: "false" });
  expect(await front.ask("[[tool:count {}]]")).toMatchObject({ status: "COMPLETED" });
});
