import type { TableName } from "../../runtime/table-env.ts";
import type { Db } from "../db.ts";
import { retryUntilWritten } from "../retry-until-written.ts";
import { type Transacted, transact, type Write } from "../transact.ts";
import { addToCounters } from "./owned-counters.ts";
import { getOwnerSummary, type OwnerSummary, replaceOwnerSummary } from "./owner-summary.ts";

/** A change of one owner's records. */
export type OwnerChange = {
  readonly table: TableName;
  readonly owner: string | null;
  /** How many records there are more afterwards. */
  readonly by: number;
  /** Epoch milliseconds of what is written; absent when records are only removed. */
  readonly writtenAtMs?: number;
  /** The writes of the records; each refuses when its record is not what `by` counts on. */
  readonly entries: readonly Write[];
};

const TRIES = 12;

/**
 * Changes records of one owner together with what is counted of them, all or nothing. Only changes of the same owner
 * wait for each other.
 *
 * @returns as `transact`: the position of the first of `entries` that refused
 */
export async function changeOwned(db: Db, change: OwnerChange): Promise<Transacted> {
  const { table, owner, entries } = change;
  const tryOnce = async () => {
    const seen = await getOwnerSummary(db, table, owner);
    const next = summaryAfter(seen, change);
    const by = { records: change.by, owners: owner === null ? 0 : ownersMore(seen, next) };
    const counts = by.records !== 0 || by.owners !== 0;
    const result = await transact(db, (tryNumber) => [
      ...entries,
      replaceOwnerSummary(db, table, owner, seen, next),
      ...(counts ? [addToCounters(db, table, { owner, by, tryNumber })] : []),
    ]);
    return result.written || result.entry < entries.length ? result : undefined;
  };
  const others = `the ${table} of one owner were changed by others again and again`;
  return retryUntilWritten(tryOnce, () => new Error(others), TRIES);
}

/** Never below nothing: the entries refuse before it could come to that. */
function summaryAfter(seen: OwnerSummary | undefined, { by, writtenAtMs = 0 }: OwnerChange): OwnerSummary {
  return {
    records: Math.max(0, (seen?.records ?? 0) + by),
    changed_at_ms: Math.max(seen?.changed_at_ms ?? 0, writtenAtMs),
  };
}

const ownersMore = (seen: OwnerSummary | undefined, next: OwnerSummary): number =>
  Math.sign(next.records) - Math.sign(seen?.records ?? 0);
