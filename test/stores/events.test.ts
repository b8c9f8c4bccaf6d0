import { afterAll, beforeAll, expect, test } from "vitest";
import type { RecordedEvent } from "../../shared/schemas/runs/run-event.ts";
import { appendEvents, nextEventIndex, packBatch, readEvents } from "../../shared/stores/runs/events.ts";
import { contentEvent } from "../events/content-event.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

function events(from: number, to: number, text = "x"): RecordedEvent[] {
  return Array.from({ length: to - from + 1 }, (_, i) => ({
    ...contentEvent(`${text}${from + i}`),
    event_index: from + i,
  }));
}

const addressOf = (run_id: string) => ({ owner: "maria", session_id: "s", run_id });
const append = (run_id: string, attempt: number, startsOver: boolean, batch: RecordedEvent[]) =>
  appendEvents(stores.db, addressOf(run_id), { run_id, attempt, startsOver, events: batch });

const contents = async (runId: string, after?: string) => {
  const read = await readEvents(stores.db, { run_id: runId }, after);
  return {
    replayed: read.events.map((e) => (e.event === "RunContent" ? e.content : e.event)),
    cursor: read.cursor,
  };
};

test("events come back in order, from any cursor on", async () => {
  await append("run-a", 1, true, events(0, 2));
  const first = await contents("run-a");
  await append("run-a", 1, false, events(3, 4));
  expect(first.replayed).toEqual(["x0", "x1", "x2"]);
  expect((await contents("run-a", first.cursor)).replayed).toEqual(["x3", "x4"]);
  expect((await contents("run-a")).replayed).toEqual(["x0", "x1", "x2", "x3", "x4"]);
  expect(await nextEventIndex(stores.db, { run_id: "run-a" })).toBe(5);
});

test("an attempt that starts over hides what earlier attempts wrote, and its indices go on", async () => {
  await append("run-b", 1, true, events(0, 3, "old"));
  await append("run-b", 2, true, events(4, 5, "new"));
  expect((await contents("run-b")).replayed).toEqual(["new4", "new5"]);
});

test("what a stale attempt writes late is never read again", async () => {
  await append("run-c", 1, true, events(0, 1, "old"));
  await append("run-c", 2, true, events(2, 3, "new"));
  const { cursor } = await contents("run-c");
  await append("run-c", 1, false, events(2, 9, "late"));
  expect((await contents("run-c")).replayed).toEqual(["new2", "new3"]);
  expect((await contents("run-c", cursor)).replayed).toEqual([]);
});

test("a run without events starts at index 0", async () => {
  expect(await nextEventIndex(stores.db, { run_id: "run-none" })).toBe(0);
  expect(await readEvents(stores.db, { run_id: "run-none" })).toEqual({ events: [], cursor: undefined });
});

test("the last events of an ended run are read from its record, after those that have items", async () => {
  await append("run-d", 1, true, events(0, 1));
  const last_events = await packBatch(stores.db, addressOf("run-d"), {
    run_id: "run-d",
    attempt: 1,
    startsOver: false,
    events: events(2, 3),
  });
  const run = { run_id: "run-d", last_events };
  const all = await readEvents(stores.db, run);
  expect(all.events.map((e) => e.event_index)).toEqual([0, 1, 2, 3]);
  expect((await readEvents(stores.db, run, all.cursor)).events).toEqual([]);
  expect(await nextEventIndex(stores.db, run)).toBe(4);
});

test("an attempt that starts over hides the last events of the one before, wherever they are", async () => {
  const last_events = await packBatch(stores.db, addressOf("run-e"), {
    run_id: "run-e",
    attempt: 1,
    startsOver: true,
    events: events(0, 3, "old"),
  });
  await append("run-e", 2, true, events(4, 5, "new"));
  const { events: latest } = await readEvents(stores.db, { run_id: "run-e", last_events });
  expect(latest.map((e) => e.event_index)).toEqual([4, 5]);
});

test("an attempt that resumes hides what was sent after the step it resumes from, and sends what was not written", async () => {
  await append("run-f", 1, true, events(0, 2, "old"));
  await append("run-f", 1, false, events(5, 8, "dead"));
  const untold = events(3, 4, "untold");
  const resumed = { run_id: "run-f", attempt: 2, startsOver: false, voidsFrom: 3 };
  await appendEvents(stores.db, addressOf("run-f"), {
    ...resumed,
    events: [...untold, ...events(9, 9, "new")],
  });
  await append("run-f", 1, false, events(9, 12, "late"));
  expect((await contents("run-f")).replayed).toEqual(["old0", "old1", "old2", "untold3", "untold4", "new9"]);
  expect(await nextEventIndex(stores.db, { run_id: "run-f" })).toBe(10);
});
