import { expect, test } from "vitest";
import { executeBatch } from "../../functions/worker/execute-batch.ts";
import type { ReceivedMessage } from "../../shared/queue/run-messages.ts";
import { manualClock } from "../support/manual-clock.ts";

const LIFE_MS = 900_000;

/** A worker with two slots: its jobs end when the test ends them, and messages come when the test adds them. */
function aWorker(slots = 2) {
  const clock = manualClock(0);
  const started: string[] = [];
  const removed: string[] = [];
  const logged: string[] = [];
  const waiting: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  let reachable = true;
  let requests = 0;
  const deps = {
    clock,
    slots,
    remainingMs: () => LIFE_MS - clock.now(),
    log: { warn: (text: string) => void logged.push(text), error: (text: string) => void logged.push(text) },
    execute: (body: string) =>
      new Promise<void>((resolve, reject) => {
        started.push(body);
        ends.set(body, (error) => (error ? reject(error) : resolve()));
      }),
    messages: {
      receive: async (atMost: number): Promise<ReceivedMessage[]> => {
        requests += 1;
        if (!reachable) throw new Error("out of reach");
        return waiting.splice(0, atMost).map((body) => ({ body, receipt: `receipt of ${body}` }));
      },
      remove: async (receipt: string) => void removed.push(receipt),
    },
  };
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    started,
    removed,
    logged,
    waiting,
    execute: (batch: string[]) => executeBatch(deps, batch),
    /** Ends a job, and lets the time pass for which its slot waits for others. */
    end: async (body: string, error?: Error) => {
      ends.get(body)?.(error);
      await settle();
      clock.advance(50);
      await settle();
    },
    endNow: (body: string) => ends.get(body)?.(),
    requests: () => requests,
    pass: async (ms: number) => {
      clock.advance(ms);
      await settle();
    },
    lose: () => {
      reachable = false;
    },
  };
}

test("a slot that becomes free beside a long run takes the next message, and deletes it when its job has ended", async () => {
  const worker = aWorker();
  const batch = worker.execute(["long", "short"]);
  worker.waiting.push("next", "later");
  await worker.end("short");
  expect(worker.started).toEqual(["long", "short", "next"]);
  expect(worker.waiting).toEqual(["later"]);
  expect(worker.removed).toEqual([]);
  await worker.end("next");
  expect(worker.started).toEqual(["long", "short", "next", "later"]);
  expect(worker.removed).toEqual(["receipt of next"]);
  await worker.end("later");
  await worker.end("long");
  expect(await batch).toEqual([]);
  expect(worker.removed).toEqual(["receipt of next", "receipt of later"]);
});

test("a slot that was free from the start looks for work every second, and never takes more than there are slots", async () => {
  const worker = aWorker(3);
  const batch = worker.execute(["long"]);
  await worker.pass(999);
  worker.waiting.push("a", "b", "c");
  expect(worker.started).toEqual(["long"]);
  await worker.pass(1);
  await worker.pass(50);
  expect(worker.started).toEqual(["long", "a", "b"]);
  await worker.pass(5_000);
  expect(worker.started).toEqual(["long", "a", "b"]);
  for (const body of ["a", "b", "c", "long"]) await worker.end(body);
  expect(await batch).toEqual([]);
});

test("slots that become free together are filled by one request", async () => {
  const worker = aWorker(4);
  const batch = worker.execute(["long", "a", "b", "c"]);
  worker.waiting.push("d", "e", "f");
  for (const body of ["a", "b", "c"]) worker.endNow(body);
  await worker.pass(0);
  await worker.pass(50);
  expect(worker.requests()).toBe(1);
  expect(worker.started.slice(4)).toEqual(["d", "e", "f"]);
  for (const body of ["d", "e", "f", "long"]) worker.endNow(body);
  expect(await batch).toEqual([]);
});

test("a function whose last run has ended takes nothing more", async () => {
  const worker = aWorker();
  const batch = worker.execute(["only"]);
  worker.waiting.push("next");
  await worker.end("only");
  expect(await batch).toEqual([]);
  expect(worker.waiting).toEqual(["next"]);
});

test("a function that is about to end takes nothing more", async () => {
  const worker = aWorker();
  const batch = worker.execute(["long", "short"]);
  await worker.pass(LIFE_MS - 179_000);
  worker.waiting.push("next");
  await worker.end("short");
  await worker.pass(1_000);
  expect(worker.waiting).toEqual(["next"]);
  await worker.end("long");
  await batch;
});

test("what could not be processed is reported if it came with the batch, and comes again if it was received", async () => {
  const worker = aWorker();
  const batch = worker.execute(["a", "b"]);
  worker.waiting.push("c");
  await worker.end("b", new Error("no table"));
  expect(worker.started).toContain("c");
  await worker.end("c", new Error("no table"));
  await worker.end("a");
  expect(await batch).toEqual([1]);
  expect(worker.removed).toEqual([]);
  expect(worker.logged).toEqual(["a job could not be processed", "a job could not be processed"]);
});

test("a queue that is out of reach disturbs no run", async () => {
  const worker = aWorker();
  worker.lose();
  const batch = worker.execute(["a"]);
  await worker.pass(1_000);
  await worker.pass(50);
  expect(worker.logged).toEqual(["no messages could be received"]);
  await worker.end("a");
  expect(await batch).toEqual([]);
});
