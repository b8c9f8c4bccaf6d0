import * as v from "valibot";
import { deleteItem, transact } from "../../data/index.ts";
import type { Db } from "../db.ts";
import { changeListed } from "../listing/change-listed.ts";
import { traceItems } from "./read-trace.ts";
import { StoredTrace, traceListing } from "./trace-item.ts";

/** Most items of one transaction; the tallies that counted the trace are in it too. */
const AT_A_TIME = 80;

/**
 * Removes a trace with its spans, and from the counts of lists. The trace is removed last, so that a removal that breaks
 * off is found again. Idempotent.
 *
 * @param now  epoch seconds
 */
export async function removeTrace(db: Db, traceId: string, owner: string | null, now: number): Promise<void> {
  const items = await traceItems(db, traceId, owner);
  const trace = items.find(({ start_ms }) => start_ms !== undefined);
  const removals = items
    .filter((item) => item !== trace)
    .map(({ pk, sk }) => deleteItem("traces", { pk, sk }));
  for (let from = 0; from < removals.length; from += AT_A_TIME) {
    await transact(db, { items: removals.slice(from, from + AT_A_TIME) });
  }
  if (!trace) return;
  const { pk, sk } = trace;
  // The retention does not affect which counts a trace is in.
  const listing = traceListing(Number.POSITIVE_INFINITY);
  const change = {
    before: v.parse(StoredTrace, trace),
    parts: { trace: deleteItem("traces", { pk, sk }) },
    after: undefined,
  };
  await changeListed(db, listing, [change], now);
}
