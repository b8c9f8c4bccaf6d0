import { afterAll, beforeAll, expect, test } from "vitest";
import { itemsOf } from "../../bench/timed-items.ts";
import { readFilter } from "../../shared/domain/traces/read-filter.ts";
import { expiryOf } from "../../shared/domain/traces/retention.ts";
import { findTraces } from "../../shared/stores/traces/find-traces.ts";
import { type StoredTrace, traceIdOf, traceItem } from "../../shared/stores/traces/trace-item.ts";
import { putItems } from "../support/put-items.ts";
import { T0 } from "../support/records.ts";
import { startStores, type TestStores } from "../support/stores.ts";
import { watchedDb } from "../support/watched-db.ts";

/** The index of failed traces: what a question for them reads, and what is in it. */
const TRACES = 120;
const RETENTION_DAYS = 30;
let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
  await putItems(
    stores.db,
    "traces",
    Array.from({ length: TRACES }, (_, i) => traceItem(aTrace(i))),
  );
});
afterAll(() => stores.stop());

/** One in twenty has failed. */
function aTrace(i: number): StoredTrace {
  const start_ms = T0 * 1000 - i * 60_000;
  return {
    trace_id: traceIdOf(`run-${i}`),
    name: "Assistant.run",
    status: i % 20 === 0 ? "ERROR" : "OK",
    start_ms,
    end_ms: start_ms + 1500,
    created_ms: start_ms + 1600,
    total_spans: 2,
    error_count: i % 20 === 0 ? 1 : 0,
    run_id: `run-${i}`,
    session_id: "session-1",
    user_id: `user-${i % 3}`,
    agent_id: "assistant",
    expires_at: expiryOf(start_ms, RETENTION_DAYS),
  };
}

async function ask(filter: object, owner?: string) {
  let read = 0;
  const db = watchedDb(stores.db, {
    after: (_, answer) => {
      read += itemsOf(answer as object);
    },
  });
  const asked = { owner, filter: readFilter(filter), retentionDays: RETENTION_DAYS, now: T0 };
  const { rows, total } = await findTraces(db, asked, 2);
  return { runs: rows.map(({ run_id }) => run_id), total, read };
}
const failed = { op: "EQ", key: "status", value: "ERROR" };

test("a question for failed traces reads those alone, the newest first, also of one component", async () => {
  const answer = { runs: ["run-0", "run-20"], total: 6, read: 6 };
  expect(await ask(failed)).toEqual(answer);
  const agent = { op: "EQ", key: "agent_id", value: "assistant" };
  expect(await ask({ op: "AND", conditions: [agent, failed] })).toEqual(answer);
});

test("whoever may see but its own is shown those of its own", async () => {
  expect(await ask(failed, "user-1")).toMatchObject({ runs: ["run-40", "run-100"], total: 2 });
});

test("a name that fits into no key belongs to no one, and nothing is read for it", async () => {
  const long = { op: "EQ", key: "agent_id", value: "x".repeat(3000) };
  expect(await ask(long)).toEqual({ runs: [], total: 0, read: 0 });
  expect(await ask({ op: "AND", conditions: [long, failed] })).toEqual({ runs: [], total: 0, read: 0 });
});

test("a trace is among them as long as its status says so", async () => {
  await putItems(stores.db, "traces", [traceItem({ ...aTrace(0), status: "OK" })]);
  expect(await ask(failed)).toMatchObject({ runs: ["run-20", "run-40"], total: 5 });
  await putItems(stores.db, "traces", [traceItem(aTrace(0))]);
  expect(await ask(failed)).toMatchObject({ runs: ["run-0", "run-20"], total: 6 });
});
