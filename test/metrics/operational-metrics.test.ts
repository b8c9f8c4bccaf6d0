import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { failDeadLetter } from "../../functions/housekeeper/fail-dead-letter.ts";
import { sweep } from "../../functions/sweeper/sweep.ts";
import { droppedFields } from "../../shared/http/pipeline.ts";
import { createComponentRun } from "../../shared/runs/index.ts";
import type { Meter } from "../../shared/runtime/metrics/meter.ts";
import { failureCauses } from "../../shared/runtime/metrics/operational-metrics.ts";
import { CreateRunForm } from "../../shared/schemas/runs/run-forms.ts";
import { queueWorld } from "../support/queue-world.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

/** A meter that keeps what it receives, each figure with its cause. */
function keepingMeter() {
  const emitted: Record<string, number>[] = [];
  const meter: Meter = {
    record: (figures, cause) =>
      void emitted.push(
        Object.fromEntries(
          Object.entries(figures).map(([name, value]) => [cause ? `${name} ${cause}` : name, value]),
        ),
      ),
  };
  return { meter, emitted };
}

describe("a queued run", () => {
  test("shows how long it waited, that it completed, and what it used", async () => {
    const world = queueWorld(stores.db);
    const { meter, emitted } = keepingMeter();
    const { run_id } = await world.submit("one two three");
    world.clock.advance(7_000);
    await world.deliver(run_id, { meter });
    expect(emitted).toEqual([
      { QueueWaitSeconds: 7 },
      {
        RunsCompleted: 1,
        RunSeconds: expect.any(Number),
        InputTokens: expect.any(Number),
        OutputTokens: expect.any(Number),
      },
    ]);
  });

  test("that fails and is tried again has failed once by its cause; only its end is a failed run", async () => {
    const world = queueWorld(stores.db, { MAX_ATTEMPTS: 2 });
    const { meter, emitted } = keepingMeter();
    const { run_id } = await world.submit("[[fail:boom]]");
    await world.deliver(run_id, { meter });
    expect(emitted.slice(1)).toEqual([{ "Failures model": 1 }, { FailedAtModels: 1 }]);
    world.clock.advance(600_000);
    await world.deliver(run_id, { meter });
    expect(emitted.slice(4)).toEqual([
      { "Failures model": 1 },
      { FailedAtModels: 1 },
      expect.objectContaining({ RunsFailed: 1 }),
    ]);
  });

  test("that pauses says so, and what it used only when it has ended", async () => {
    const world = queueWorld(stores.db);
    const { meter, emitted } = keepingMeter();
    const message = '[[tool:issue_refund {"order_id":"o-1","amount":5}]]';
    const request = { ...world.request(message), component: { kind: "agent" as const, id: "refund-desk" } };
    await createComponentRun(request, world);
    for (const { job_id } of world.queue.sent.splice(0)) await world.deliver(job_id, { meter });
    expect(emitted.slice(1)).toEqual([{ RunsPaused: 1 }]);
  });

  test("whose worker went silent is counted by the sweeper as a crash", async () => {
    const world = queueWorld(stores.db);
    const { meter, emitted } = keepingMeter();
    const { run_id } = await world.submit("hello");
    const dying = { ...stores.db, tables: { ...stores.db.tables, runs: "no-such-table" } };
    await expect(world.deliver(run_id, { db: dying })).rejects.toThrow();
    world.clock.advance(61_000);
    await sweep({ ...world, meter });
    expect(emitted.slice(0, 3)).toEqual([{ "Failures crash": 1 }, { Crashes: 1 }, { RunsFailed: 1 }]);
  });

  test("that no worker could take is counted as undelivered, once", async () => {
    const world = queueWorld(stores.db);
    const { meter, emitted } = keepingMeter();
    const { run_id } = await world.submit("hello");
    await failDeadLetter({ ...world, meter }, run_id);
    await failDeadLetter({ ...world, meter }, run_id);
    expect(emitted).toEqual([{ RunsFailed: 1 }, { "Failures undelivered": 1 }]);
  });
});

test("a run in the foreground counts its end as a queued one does", async () => {
  const world = queueWorld(stores.db);
  const { meter, emitted } = keepingMeter();
  await createComponentRun(world.request("hello", { background: false }), { ...world, meter });
  await createComponentRun(world.request("[[fail:boom]]", { background: false }), { ...world, meter });
  expect(emitted).toEqual([
    expect.objectContaining({ RunsCompleted: 1 }),
    { "Failures model": 1 },
    { FailedAtModels: 1 },
    expect.objectContaining({ RunsFailed: 1 }),
  ]);
});

describe("the queue", () => {
  test("is measured where something waits, and not where nothing does", async () => {
    const own = await startStores();
    try {
      const world = queueWorld(own.db);
      const { meter, emitted } = keepingMeter();
      await sweep({ ...world, meter });
      expect(emitted).toEqual([]);
      await world.submit("hello");
      await world.submit("hello again");
      world.clock.advance(5_000);
      await sweep({ ...world, meter });
      expect(emitted).toEqual([{ QueuedJobs: 2, RunningJobs: 0, OldestQueuedSeconds: 5 }]);
      await world.deliverAll();
      await sweep({ ...world, meter });
      expect(emitted).toHaveLength(1);
    } finally {
      await own.stop();
    }
  });
});

describe("fields of a form", () => {
  const dropped = (form: Record<string, string>) => {
    const given = { message: "hello", ...form };
    return droppedFields(given, v.parse(CreateRunForm, given));
  };

  test("that held something and were taken for nothing are named", () => {
    expect(
      dropped({
        session_state: "{",
        metadata: "[]",
        knowledge_filters: "no json",
        dependencies: '{"a":1}',
        unknown_field: "kept as it is",
      }),
    ).toEqual(["session_state", "metadata", "knowledge_filters"]);
  });

  test("that were left empty were not given", () => {
    expect(dropped({ session_id: "", session_state: "" })).toEqual([]);
  });
});

test("causes are few: each is a metric that is paid for", () => {
  expect(failureCauses.length).toBeLessThanOrEqual(9);
});
