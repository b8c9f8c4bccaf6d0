import { afterAll, beforeAll, expect, test } from "vitest";
import { uiFrames } from "../../functions/runs/ui-chat/ui-frames.ts";
import { followFrames } from "../../shared/runs/index.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import type { RecordedEvent } from "../../shared/schemas/runs/run-event.ts";
import { appendEvents, type EventBatch } from "../../shared/stores/runs/events.ts";
import type { StoredRun } from "../../shared/stores/runs/run-item.ts";
import { putRuns } from "../support/put-runs.ts";
import { aJob, aRunOf } from "../support/records.ts";
import { startStores, type TestStores } from "../support/stores.ts";
import { messagesIn, textOf } from "../support/ui-messages.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const log = { info: () => {}, warn: () => {}, error: () => {} };
const principal = { kind: "user" as const, user_id: "maria", scopes: ["agents:run"], admin: false };

/** A run that is followed while its workers write. */
function followed(run: StoredRun) {
  const about = { run_id: run.run_id, session_id: run.session_id, created_at: 0, nested_depth: 0 };
  const events = (from: number, ...bodies: readonly object[]) =>
    bodies.map(
      (body, i) =>
        ({ ...about, agent_id: "a", agent_name: "A", ...body, event_index: from + i }) as RecordedEvent,
    );
  const frames = followFrames(
    {
      signal: new AbortController().signal,
      body: { stream_events: true },
      frames: uiFrames(principal, {
        db: stores.db,
        clock: systemClock,
        log,
        settings: { APPROVERS: "admins" },
      } as never),
    },
    { db: stores.db, clock: systemClock, log },
    run,
  );
  const bytes = new TextEncoder();
  let waited: { readonly text: string; readonly seen: () => void } | undefined;
  const shown: string[] = [];
  const reading = (async () => {
    const body = ReadableStream.from(frames).pipeThrough(
      new TransformStream<string, Uint8Array>({ transform: (text, to) => to.enqueue(bytes.encode(text)) }),
    );
    let last: Parameters<typeof textOf>[0];
    for await (const message of messagesIn(body)) {
      last = message;
      shown.push(textOf(message));
      if (waited?.text === textOf(message)) waited.seen();
    }
    return last;
  })();
  return {
    events,
    write: (batch: Omit<EventBatch, "run_id">) =>
      appendEvents(stores.db, run, { run_id: run.run_id, ...batch }),
    until: (text: string) =>
      shown.at(-1) === text
        ? Promise.resolve()
        : new Promise<void>((seen) => {
            waited = { text, seen };
          }),
    end: async (content: string) => {
      const output = { ...run.output, status: "COMPLETED" as const, content };
      await putRuns(stores.db, [{ ...run, status: "COMPLETED", output }]);
      return reading;
    },
  };
}

const said = (content: string) => ({
  event: "RunContent",
  content,
  reasoning_content: "",
});
const started = { event: "RunStarted", model: "m", model_provider: "p" };
const asked = { event: "ModelRequestStarted", model: "m", model_provider: "p" };
const completed = (content: string) => ({ event: "RunCompleted", content, content_type: "str" });

async function aLiveRun() {
  const run = { ...aRunOf(aJob({}), { status: "RUNNING" }), attempt: 1 } as StoredRun;
  await putRuns(stores.db, [run]);
  return followed(run);
}

test("the text of a step that another worker repeats is there once, also for who saw the first half", async () => {
  const { events, write, until, end } = await aLiveRun();
  await write({ attempt: 1, startsOver: true, events: events(0, started, asked, said("First. ")) });
  await write({ attempt: 1, startsOver: false, events: events(3, asked, said("Sec")) });
  await until("First. Sec");
  // What was said up to the last saved step stands.
  await write({
    ...{ attempt: 2, startsOver: false, voidsFrom: 3 },
    events: events(5, asked, said("Second."), completed("First. Second.")),
  });
  expect(textOf(await end("First. Second."))).toBe("First. Second.");
});

test("a run that starts over is shown from its new beginning", async () => {
  const { events, write, until, end } = await aLiveRun();
  await write({ attempt: 1, startsOver: true, events: events(0, started, asked, said("Hel")) });
  await until("Hel");
  await write({
    ...{ attempt: 2, startsOver: true },
    events: events(3, started, asked, said("Hello"), completed("Hello")),
  });
  expect(textOf(await end("Hello"))).toBe("Hello");
});

test("events that were held back when their worker died are shown too", async () => {
  const { events, write, until, end } = await aLiveRun();
  await write({ attempt: 1, startsOver: true, events: events(0, started, asked, said("Hel"), said("p!")) });
  await until("Help!");
  await write({
    ...{ attempt: 2, startsOver: false, voidsFrom: 2 },
    events: [...events(2, said("Hello")), ...events(4, completed("Hello"))],
  });
  expect(textOf(await end("Hello"))).toBe("Hello");
});
