import { ServiceError } from "../../errors.ts";
import type { Db } from "../db.ts";
import type { Partition } from "./index-keys.ts";
import type { Indexed, Listed } from "./listing.ts";
import { mergedRows } from "./merged-rows.ts";

/** Most index rows that one list reads. */
export const LIST_DEPTH = 100_000;
const ROWS_PER_QUERY = 250;
/** Rows that may have come since matching ones were counted, and stand before the others. */
const ROWS_BEYOND_COUNT = 25;

/**
 * The first rows that match, in the order of the index: by creation, or by what the table's index sorts by instead.
 *
 * @param need     how many; fewer come only when there are no more; `Infinity` for all
 * @param counted  how many match by a count that was made before: behind so many only a few more rows are looked at
 * @throws ServiceError BAD_REQUEST when it would have to read more than `LIST_DEPTH` rows
 */
export async function rowsByCreation<Row extends Listed>(
  db: Db,
  listing: Indexed<Row>,
  partitions: readonly Partition[],
  query: {
    readonly forward: boolean;
    readonly need: number;
    readonly counted?: number;
    readonly matches: (row: Row) => boolean;
    /** See `listedRows`. */
    readonly after?: string;
    readonly through?: string;
  },
): Promise<Row[]> {
  const { need, counted = Number.POSITIVE_INFINITY, matches, ...range } = query;
  const expected = Math.min(need, counted);
  const perQuery = Number.isFinite(expected) ? Math.min(expected + 1, ROWS_PER_QUERY) : 0;
  const rows: Row[] = [];
  let scanned = 0;
  let beyond = 0;
  for await (const row of mergedRows(db, listing, partitions, { ...range, perQuery })) {
    if (matches(row)) rows.push(row);
    if (rows.length >= need) break;
    if (rows.length >= counted && beyond++ === ROWS_BEYOND_COUNT) break;
    scanned += 1;
    if (scanned > LIST_DEPTH) throw tooMany("a deep page", listing);
  }
  return rows;
}

/** @param what  what the list sorts or filters by @param depth  how many rows it may read */
export const tooMany = (
  what: string,
  { plural, sorted_by = "created_at" }: Pick<Indexed<unknown>, "plural" | "sorted_by">,
  depth = LIST_DEPTH,
): ServiceError =>
  new ServiceError(
    "BAD_REQUEST",
    `listing by ${what} would look at more than ${depth} ${plural}; narrow the filter or sort by ${sorted_by}`,
  );
