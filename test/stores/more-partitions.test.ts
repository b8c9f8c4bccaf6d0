import { afterAll, beforeAll, expect, test } from "vitest";
import type { Item } from "../../shared/data/index.ts";
import { readFilter } from "../../shared/domain/traces/read-filter.ts";
import { expiryOf } from "../../shared/domain/traces/retention.ts";
import { utcDay } from "../../shared/domain/utc-day.ts";
import { batchGet } from "../../shared/stores/batch-get.ts";
import type { Db } from "../../shared/stores/db.ts";
import { sessionsOfDay } from "../../shared/stores/metrics/counted-days.ts";
import { listSessions } from "../../shared/stores/sessions/list-sessions.ts";
import { removeSessions } from "../../shared/stores/sessions/remove-sessions.ts";
import { readSessions, sessionKey } from "../../shared/stores/sessions/session-item.ts";
import { sessionListing } from "../../shared/stores/sessions/session-listing.ts";
import { createSession } from "../../shared/stores/sessions/session-writes.ts";
import { findTraces } from "../../shared/stores/traces/find-traces.ts";
import { type StoredTrace, traceIdOf, traceKey } from "../../shared/stores/traces/trace-item.ts";
import { writeSpans } from "../../shared/stores/traces/write-spans.ts";
import { aSession, T0 } from "../support/records.ts";
import { startStores, type TestStores } from "../support/stores.ts";

/** Sessions and traces of before and after `RUN_INDEX_SHARDS` was raised. */
const EACH = 30;
let stores: TestStores;
let few: Db;
let many: Db;
beforeAll(async () => {
  stores = await startStores();
  few = stores.db;
  many = { ...stores.db, runIndexShards: 64 };
});
afterAll(() => stores?.stop());

const partitionsOf = (items: readonly Item[], key: string): ReadonlySet<unknown> =>
  new Set(items.map((item) => item[key]));

test("sessions are spread over more partitions, and lists, counts and removals find those of before too", async () => {
  const named = (name: string) => Array.from({ length: EACH }, (_, at) => `${name}-${at}`);
  const [before, after] = [named("before"), named("after")];
  const create = (db: Db, session_id: string) =>
    createSession(db, aSession({ session_id, user_id: session_id }));
  for (const session_id of before) await create(few, session_id);
  for (const session_id of after) await create(many, session_id);
  const ids = [...before, ...after];
  const items = await batchGet(few, few.tables.sessions, ids.map(sessionKey));
  const [old, young] = [false, true].map((isYoung) =>
    items.filter(({ session_id }) => String(session_id).startsWith("after") === isYoung),
  );
  expect(partitionsOf(old ?? [], "all_key").size).toBeLessThanOrEqual(4);
  expect(partitionsOf(young ?? [], "all_key").size).toBeGreaterThan(8);
  // What changes a session finds the counts of its partition by what it says itself.
  const placed = new Map(items.map(({ session_id, all_key }) => [session_id, all_key]));
  for (const session of await readSessions(many, ids))
    expect(sessionListing.placeOf(session).all_key).toBe(placed.get(session.session_id));

  const listed = async () => {
    const query = { owner: undefined, type: undefined, component_id: undefined, session_name: undefined };
    const order = { page: 1, limit: 2 * EACH, sort_by: "created_at", sort_order: "asc" } as const;
    const { sessions, total } = await listSessions(many, { ...query, ...order }, T0);
    expect(total).toBe(sessions.length);
    return sessions.map(({ session_id }) => session_id).sort();
  };
  expect(await listed()).toEqual(ids.sort());
  const ofDay: string[] = [];
  for await (const { rows } of sessionsOfDay(many, { user_id: undefined }, utcDay(T0), 10))
    ofDay.push(...rows.map(({ session_id }) => session_id));
  expect(ofDay.sort()).toEqual(ids);
  // Each is in partitions of its own: one transaction must have room for all their counts.
  expect(await removeSessions(many, ids, () => true, T0)).toHaveLength(2 * EACH);
  expect(await listed()).toEqual([]);
});

test("traces are spread too, those of one component as well", async () => {
  const traces = Array.from({ length: EACH }, (_, at): StoredTrace => {
    const start_ms = T0 * 1000 - at * 60_000;
    return {
      trace_id: traceIdOf(`run-${at}`),
      ...{ name: "Assistant.run", status: "OK", total_spans: 2, error_count: 0 },
      ...{ start_ms, end_ms: start_ms + 1500, created_ms: start_ms + 1600 },
      ...{ run_id: `run-${at}`, session_id: `session-${at}`, user_id: `user-${at}`, agent_id: "assistant" },
      expires_at: expiryOf(start_ms, 30),
    };
  });
  for (const [at, trace] of traces.entries()) {
    const written = { ...trace, attempt: 1, at_ms: trace.end_ms, write: 0 };
    await writeSpans(at % 2 === 0 ? few : many, written, [], trace);
  }
  const items = await batchGet(few, few.tables.traces, traces.map(traceKey));
  expect(partitionsOf(items, "all_key").size).toBeGreaterThan(8);
  expect(partitionsOf(items, "component_key").size).toBeGreaterThan(8);
  for (const filter of [undefined, readFilter({ op: "EQ", key: "agent_id", value: "assistant" })]) {
    const query = { owner: undefined, filter, retentionDays: 30, now: T0 };
    const { rows, total } = await findTraces(many, query, EACH);
    expect(rows.map(({ run_id }) => run_id)).toEqual(traces.map(({ run_id }) => run_id));
    expect(total).toBe(EACH);
  }
});
