import { ServiceError } from "../../errors.ts";
import { type Db, queryPages } from "../db.ts";
import type { Partition } from "../index-keys.ts";
import type { Indexed, Listed } from "./listing.ts";

type RowRange = {
  readonly forward: boolean;
  /** Only records that sort after this. */
  readonly after?: string;
  /** Only records that do not sort after this. */
  readonly through?: string;
  readonly perQuery?: number;
};

/** Index rows of one partition in the order of the index; pages are read as they are consumed. */
export async function* listedRows<Row extends Listed>(
  db: Db,
  { table }: Indexed<Row>,
  partition: Partition,
  { forward, after, through, perQuery }: RowRange,
): AsyncGenerator<Row, undefined> {
  const index = indexOf(partition);
  const pages = queryPages(db, {
    TableName: db.tables[table],
    IndexName: index.name,
    KeyConditionExpression: `${index.key} = :partition${rangeOf(after, through)}`,
    ExpressionAttributeValues: {
      ":partition": partition,
      ...(after !== undefined && { ":after": after }),
      ...(through !== undefined && { ":through": through }),
    },
    ScanIndexForward: forward,
    ...(perQuery && { Limit: perQuery }),
  });
  for await (const page of pages) yield* (page.Items ?? []) as Row[]; // as projected
  return undefined;
}

/** A query takes one condition on the sort key. With both ends, `after` is a time without an id: no record's key. */
function rangeOf(after: string | undefined, through: string | undefined): string {
  if (after !== undefined && through !== undefined) return " AND opened BETWEEN :after AND :through";
  if (after !== undefined) return " AND opened > :after";
  return through === undefined ? "" : " AND opened <= :through";
}

function indexOf(partition: Partition): { readonly name: string; readonly key: string } {
  if (partition.startsWith("owner#")) return { name: "by_owner", key: "owner_key" };
  if (partition.startsWith("component#")) return { name: "by_component", key: "component_key" };
  if (partition.startsWith("session#")) return { name: "by_session", key: "session_key" };
  if (partition.startsWith("resting#")) return { name: "by_status", key: "status_key" };
  if (partition.startsWith("failed#")) return { name: "by_failure", key: "failed_key" };
  return { name: "by_opening", key: "all_key" };
}

/** Index rows of several partitions in the order of the index; pages are read as they are consumed. */
export function mergedRows<Row extends Listed>(
  db: Db,
  listing: Indexed<Row>,
  partitions: readonly Partition[],
  range: Parameters<typeof listedRows>[3],
): AsyncGenerator<Row, undefined> {
  const streams = partitions.map((partition) => listedRows(db, listing, partition, range));
  return mergeSorted(streams, (a, b) => (range.forward ? a.opened < b.opened : a.opened > b.opened));
}

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

export type SortValue = string | number | null;

/** Sorts rows by a value of theirs. Nulls stay together after everything else; ties go by id. */
export function sortedRows<Row>(
  rows: readonly Row[],
  sortValueOf: (row: Row) => SortValue,
  idOf: (row: Row) => string,
  order: "asc" | "desc",
): Row[] {
  const sign = order === "asc" ? 1 : -1;
  const keyed = rows.map((row) => ({ row, value: sortValueOf(row) }));
  return keyed
    .sort((a, b) => {
      if (a.value === b.value) return idOf(a.row) < idOf(b.row) ? -1 : 1;
      if (a.value === null) return 1;
      if (b.value === null) return -1;
      return a.value < b.value ? -sign : sign;
    })
    .map(({ row }) => row);
}

/** Merges sorted streams into one sorted stream. Reads one item ahead of each. */
export async function* mergeSorted<T>(
  streams: readonly AsyncIterator<T, undefined>[],
  precedes: (a: T, b: T) => boolean,
): AsyncGenerator<T, undefined> {
  const heads = await Promise.all(streams.map(async (rest) => ({ rest, next: await rest.next() })));
  for (;;) {
    let first: { head: (typeof heads)[number]; value: T } | undefined;
    for (const head of heads) {
      if (head.next.done) continue;
      const { value } = head.next;
      if (!first || precedes(value, first.value)) first = { head, value };
    }
    if (!first) return undefined;
    yield first.value;
    first.head.next = await first.head.rest.next();
  }
}
