import { describe, expect, test } from "vitest";
import { createEventRecorder } from "../../shared/events/event-recorder.ts";
import type { EventBatch } from "../../shared/stores/runs/events.ts";
import { manualClock } from "../support/manual-clock.ts";
import { contentEvent } from "./content-event.ts";

function recording(write?: (batch: EventBatch) => Promise<void>) {
  const written: EventBatch[] = [];
  const clock = manualClock(0);
  const keep = async (batch: EventBatch) => {
    written.push(batch);
  };
  const recorder = createEventRecorder(
    { run_id: "r", attempt: 2, nextIndex: 7, startsOver: true },
    write ?? keep,
    clock,
  );
  return { recorder, written, clock };
}

/** Lets everything that waits only for other code run. */
const settle = () => new Promise(setImmediate);

describe("the record of a run", () => {
  test("numbers events from where it starts, without gaps", async () => {
    const { recorder } = recording();
    expect(
      [recorder.record(contentEvent("a")), recorder.record(contentEvent("b"))].map((e) => e.event_index),
    ).toEqual([7, 8]);
    expect((await recorder.drain()).events.map((e) => e.event_index)).toEqual([7, 8]);
  });

  test("keeps quick events together for the transaction that ends the run", async () => {
    const { recorder, written } = recording();
    for (const word of ["a", "b", "c"]) recorder.record(contentEvent(word));
    const rest = await recorder.drain();
    expect(written).toEqual([]);
    expect(rest).toMatchObject({ run_id: "r", attempt: 2, startsOver: true });
    expect(rest.events).toHaveLength(3);
  });

  test("writes what has waited a quarter of a second, although nothing follows", async () => {
    const { recorder, written, clock } = recording();
    recorder.record(contentEvent("a"));
    clock.advance(250);
    await settle();
    expect(written.map((batch) => batch.events.length)).toEqual([1]);
    recorder.record(contentEvent("b"));
    expect(await recorder.drain()).toMatchObject({ startsOver: false, events: [{ event_index: 8 }] });
  });

  test("writes a large batch at once, and keeps the newest event back", async () => {
    const { recorder, written } = recording();
    recorder.record(contentEvent("x".repeat(200_000)));
    recorder.record(contentEvent("y".repeat(200_000)));
    await settle();
    expect(written.map((batch) => batch.events.map((e) => e.event_index))).toEqual([[7]]);
    expect((await recorder.drain()).events.map((e) => e.event_index)).toEqual([8]);
  });

  test("reports at the end when an earlier write failed", async () => {
    const { recorder, clock } = recording(() => Promise.reject(new Error("the store is gone")));
    recorder.record(contentEvent("a"));
    clock.advance(250);
    await settle();
    await expect(recorder.drain()).rejects.toThrow("the store is gone");
  });

  test("shows a checkpoint what may not be written yet, also while it is being written", async () => {
    const writing = Promise.withResolvers<void>();
    const { recorder, clock } = recording(() => writing.promise);
    recorder.record(contentEvent("a"));
    clock.advance(250);
    await settle();
    recorder.record(contentEvent("b"));
    expect(recorder.progress()).toMatchObject({
      next_index: 9,
      untold: [{ event_index: 7 }, { event_index: 8 }],
    });
    writing.resolve();
    await settle();
    expect(recorder.progress()).toMatchObject({ next_index: 9, untold: [{ event_index: 8 }] });
  });

  test("begins a resumed attempt with what was not written, and says from where it counts", async () => {
    const written: EventBatch[] = [];
    const untold = [{ ...contentEvent("lost"), event_index: 5 }];
    const recorder = createEventRecorder(
      { run_id: "r", attempt: 3, nextIndex: 9, startsOver: false, resumes: { voidsFrom: 5, untold } },
      async (batch) => void written.push(batch),
      manualClock(0),
    );
    recorder.record(contentEvent("new"));
    const first = await recorder.drain();
    expect(first).toMatchObject({ voidsFrom: 5, events: [{ event_index: 5 }, { event_index: 9 }] });
    expect(await recorder.drain()).not.toHaveProperty("voidsFrom");
  });
});
