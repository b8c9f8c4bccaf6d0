import * as v from "valibot";
import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import { StoredTrace } from "./trace-item.ts";
import type { TraceRow } from "./trace-row.ts";

/** The traces of some rows, in their order; missing ones are left out. */
export async function tracesAt(db: Db, rows: readonly TraceRow[]): Promise<StoredTrace[]> {
  const keys = rows.map(({ pk, sk }) => ({ pk, sk }));
  const items = await batchGet(db, db.tables.traces, keys);
  const byId = new Map(items.map((item) => [item.trace_id, v.parse(StoredTrace, item)]));
  return rows.flatMap(({ trace_id }) => byId.get(trace_id) ?? []);
}
