import { resultOf, transact } from "../../data/transact.ts";
import type { Write } from "../../data/writes.ts";
import type { TableName } from "../../settings/table-env.ts";
import type { Db } from "../db.ts";
import { retryUntilWritten } from "../retry-until-written.ts";
import { addToCounters } from "./owned-counters.ts";
import { getOwnerSummary, type OwnerSummary, replaceOwnerSummary } from "./owner-summary.ts";

/** A change of one owner's records. */
export type OwnerChange = {
  readonly table: TableName;
  readonly owner: string | null;
  /** By how much the number of records changes. */
  readonly by: number;
  /** Epoch milliseconds of what is written; absent when records are only removed. */
  readonly writtenAtMs?: number;
  /** The writes of the records; each is refused when its record is not in the state that `by` assumes. */
  readonly records: readonly Write[];
};

const TRIES = 20;

/**
 * Changes records of one owner together with their counters, all or nothing. Only changes of the same owner conflict.
 *
 * @returns false when one of `records` was refused
 */
export async function changeOwned(db: Db, change: OwnerChange): Promise<boolean> {
  const { table, owner, records } = change;
  const tryOnce = async () => {
    const seen = await getOwnerSummary(db, table, owner);
    const next = summaryAfter(seen, change);
    const by = { records: change.by, owners: owner === null ? 0 : ownerDelta(seen, next) };
    const countsChange = by.records !== 0 || by.owners !== 0;
    const result = await transact(db, (tryNumber) => ({
      records,
      summary: replaceOwnerSummary(table, owner, seen, next),
      counters: countsChange ? addToCounters(table, { owner, by, tryNumber }) : undefined,
    }));
    return resultOf({ records }, result)?.written;
  };
  const others = `the ${table} of one owner were changed by others again and again`;
  return retryUntilWritten(tryOnce, () => new Error(others), TRIES);
}

/** Never below 0: the records refuse before that. */
function summaryAfter(seen: OwnerSummary | undefined, { by, writtenAtMs = 0 }: OwnerChange): OwnerSummary {
  return {
    records: Math.max(0, (seen?.records ?? 0) + by),
    changed_at_ms: Math.max(seen?.changed_at_ms ?? 0, writtenAtMs),
  };
}

const ownerDelta = (seen: OwnerSummary | undefined, next: OwnerSummary): number =>
  Math.sign(next.records) - Math.sign(seen?.records ?? 0);
