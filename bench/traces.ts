/**
 * Measures what lists and searches of traces read as they grow, directly against the stores. Traces are spread over 29
 * days and 1,000 users; one in ten has failed, one in a hundred is of a rare agent. `node bench/traces.ts [traces]`.
 */
import { randomUUID } from "node:crypto";
import { readFilter } from "../shared/domain/traces/read-filter.ts";
import { expiryOf } from "../shared/domain/traces/retention.ts";
import type { Db } from "../shared/stores/db.ts";
import { findTraces, tracesAt } from "../shared/stores/traces/find-traces.ts";
import { type StoredTrace, traceIdOf, traceItem } from "../shared/stores/traces/trace-item.ts";
import { putItems } from "../test/support/put-items.ts";
import { T0 } from "../test/support/records.ts";
import { startStores } from "../test/support/stores.ts";
import { printTable, type Row } from "./figures.ts";
import { timedItems } from "./timed-items.ts";

const SIZES = [1_000, Number(process.argv[2] ?? 100_000)];
const RETENTION_DAYS = 30;
const DAY_MS = 86_400_000;
const PAGE = 20;

const is = (key: string, value: string, op = "EQ") => ({ op, key, value });
const both = (...conditions: object[]) => ({ op: "AND", conditions });
const yesterday = new Date(T0 * 1000 - DAY_MS).toISOString();

type Search = { readonly owner?: string; readonly filter?: object; readonly page?: number };
const searches: Record<string, Search> = {
  "page 1, everybody's": {},
  "page 100, everybody's": { page: 100 },
  "page 1, one user's": { owner: "user-7" },
  "by agent, 1 %": { filter: is("agent_id", "rare") },
  "search: user and status": { filter: both(is("user_id", "user-7"), is("status", "ERROR")) },
  "search: errors of a day": { filter: both(is("status", "ERROR"), is("start_time", yesterday, "GTE")) },
  "search: any error": { filter: is("status", "ERROR") },
};

const rows: Row[] = [];
for (const size of SIZES) rows.push(...(await measure(size)));
printTable(rows);

/** Each size has a store of its own, because counts leave out traces that are added a day after the store's start. */
async function measure(size: number): Promise<Row[]> {
  const { db, stop } = await startStores();
  const timed = timedItems(db);
  try {
    const traces = Array.from({ length: size }, (_, i) => aTrace(i, size));
    await putItems(db, "traces", traces.map(traceItem));
    const named = (name: string) => `${name} of ${size.toLocaleString("en")}`;
    const measured = [await timed(named("first list"), 1, () => runSearch(db, {}, size))];
    await runSearch(db, { filter: is("agent_id", "rare") });
    for (const [name, search] of Object.entries(searches)) {
      measured.push(await timed(named(name), 3, () => runSearch(db, search)));
    }
    return measured;
  } finally {
    await stop();
  }
}

async function runSearch(db: Db, { owner, filter, page = 1 }: Search, expected?: number): Promise<void> {
  const query = { owner, filter: filter && readFilter(filter), retentionDays: RETENTION_DAYS, now: T0 };
  const { rows: found, total } = await findTraces(db, query, page * PAGE);
  await tracesAt(db, found.slice((page - 1) * PAGE));
  if (expected !== undefined && total !== expected) throw new Error(`${total} of ${expected} were counted`);
}

function aTrace(i: number, of: number): StoredTrace {
  const run_id = randomUUID();
  const start_ms = T0 * 1000 - Math.floor((i / of) * 29 * DAY_MS);
  const failed = i % 10 === 0;
  return {
    trace_id: traceIdOf(run_id),
    name: "Assistant.run",
    status: failed ? "ERROR" : "OK",
    start_ms,
    end_ms: start_ms + 1500,
    created_ms: start_ms + 1600,
    total_spans: 4,
    error_count: failed ? 1 : 0,
    input: "What is two and three?",
    run_id,
    session_id: `session-${i % 5000}`,
    user_id: `user-${i % 1000}`,
    agent_id: i % 100 === 0 ? "rare" : "assistant",
    expires_at: expiryOf(start_ms, RETENTION_DAYS),
  };
}
