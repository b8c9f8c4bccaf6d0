import { setTimeout as delay } from "node:timers/promises";
import { EventSchemas } from "@ag-ui/core/schemas";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aguiFramesOf } from "../../functions/runs/agui/agui-frames.ts";
import { openRequirement } from "../../shared/engine/workflow/review/requirement.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import type { RecordedEvent } from "../../shared/schemas/runs/run-event.ts";
import type { StoredRun } from "../../shared/stores/runs/run-item.ts";
import { putRuns } from "../support/put-runs.ts";
import { aJob, aRunOf } from "../support/records.ts";
import { startStores, type TestStores } from "../support/stores.ts";
import { watchedDb } from "../support/watched-db.ts";

const quiet = { info: () => {}, warn: () => {}, error: () => {} };

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

/** The frames of a run's last events, when the first read of its record takes longer than those behind it. */
async function lastFrames(run: StoredRun, events: readonly object[]): Promise<string> {
  await putRuns(stores.db, [run]);
  let reads = 0;
  const db = watchedDb(stores.db, {
    before: async () => {
      reads += 1;
      if (reads === 1) await delay(100);
    },
  });
  const input = { runId: "of the client", threadId: run.session_id, messages: [] };
  const frames = aguiFramesOf(input, { db, clock: systemClock, log: quiet })(run);
  const about = { run_id: run.run_id, session_id: run.session_id, created_at: 0, nested_depth: 0 };
  const written = events.map((event, event_index) =>
    frames.of({ ...about, ...event, event_index } as unknown as RecordedEvent),
  );
  return [...(await Promise.all(written)), await frames.closing()].join("");
}

test("a workflow that waits for a person is an interrupt, though its pause is sent twice", async () => {
  const place = { path: "publish", name: "publish", index: 0 };
  const step = { ...openRequirement({ type: "Step" }, place as never), requires_confirmation: true };
  const started = aRunOf(aJob({ component_type: "workflow" }), { status: "PAUSED" });
  const output = { ...started.output, status: "PAUSED", step_requirements: [step] };
  const run = { ...started, output } as unknown as StoredRun;
  const text = await lastFrames(run, [
    { event: "WorkflowPaused", status: "PAUSED", step_results: [] },
    { event: "WorkflowRunOutput", ...output, content: "Waiting for a person." },
  ]);
  expect(text.match(/"type":"(RUN_\w+|TEXT_\w+)"/g)).toEqual(['"type":"RUN_FINISHED"']);
  expect(text).toContain(`"outcome":{"type":"interrupt","interrupts":[{"id":"${run.run_id}:step:publish"`);
});

test("a workflow that was answered since is followed, past its pause", async () => {
  const started = aRunOf(aJob({ component_type: "workflow" }), { status: "COMPLETED" });
  const run = { ...started, output: { ...started.output, status: "COMPLETED", content: "Published." } };
  const text = await lastFrames(run as StoredRun, [
    { event: "WorkflowPaused", status: "PAUSED", step_results: [] },
    { event: "WorkflowRunOutput", status: "PAUSED", content: "Waiting for a person." },
    { event: "WorkflowCompleted", content: "Published.", content_type: "str", step_results: [] },
  ]);
  expect(text).toContain("Published.");
  expect(text).not.toContain("Waiting for a person.");
  expect(text.match(/"type":"RUN_\w+"/g)).toEqual(['"type":"RUN_FINISHED"']);
});

test("a failed run whose end was not recorded as an event says why, not what it had said before", async () => {
  const started = aRunOf(aJob(), { status: "ERROR" });
  const output = { ...started.output, status: "ERROR", content: "Your order is", error: "The worker died." };
  const text = await lastFrames({ ...started, output } as StoredRun, []);
  const events = text.match(/\{.*\}/g)?.map((json) => JSON.parse(json)) ?? [];
  expect(events.map((event) => EventSchemas.parse(event)).at(-1)).toMatchObject({
    type: "RUN_ERROR",
    message: "The worker died.",
  });
});
