import type { TableName } from "../../settings/table-env.ts";
import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import { allPartitions, ownerPartition, ownersPartitions, type Partition } from "../index-keys.ts";
import {
  LIST_DEPTH,
  listedRows,
  rowsByCreation,
  type SortValue,
  sortedRows,
  tooMany,
} from "../listing/listed-rows.ts";
import type { Indexed } from "../listing/listing.ts";
import {
  getOwnerSummary,
  type Owned,
  type OwnedKind,
  type OwnedRow,
  type OwnerSummary,
  readCounters,
} from "./owned.ts";

/**
 * Most rows that one filtered or sorted list reads: about 5 MB of the index, which the slow local engine reads within
 * the half minute that an HTTP API waits. `bench/memories.ts` measures it.
 */
export const SEARCH_DEPTH = 20_000;

export type OwnedQuery<Row> = {
  /** Whose records; undefined for everybody's. */
  readonly owners: readonly (string | null)[] | undefined;
  /** Absent for all records. */
  readonly matches?: ((row: Row) => boolean) | undefined;
  /** What they are sorted by; their last change when absent. */
  readonly sortBy?: { readonly name: string; readonly sortValueOf: (row: Row) => SortValue } | undefined;
  readonly sort_order: "asc" | "desc";
  /** Counted from 1. */
  readonly page: number;
  readonly limit: number;
};

export type OwnedFound<Stored> = { readonly records: Stored[]; readonly total: number };

/**
 * One page of records and the exact number of all that match. By last change and without a filter it reads the index up
 * to the page's end and the records of the page, however many there are; any other list reads all rows.
 *
 * @throws ServiceError BAD_REQUEST when it would have to read more than `SEARCH_DEPTH` rows
 */
export async function listOwned<Stored extends Owned, Row extends OwnedRow>(
  db: Db,
  kind: OwnedKind<Stored, Row>,
  query: OwnedQuery<Row>,
): Promise<OwnedFound<Stored>> {
  const { owners, matches, sortBy, sort_order, page, limit } = query;
  if (matches || sortBy) return searchOwned(db, kind, query);
  const total = await countOwned(db, kind, owners);
  const offset = (page - 1) * limit;
  if (offset >= total) return { records: [], total };
  const rows = await rowsByCreation(db, kind.listing, partitionsOf(owners), {
    forward: sort_order === "asc",
    need: offset + limit,
    counted: total,
    matches: () => true,
  });
  return { records: await recordsAt(db, kind, rows.slice(offset)), total: Math.max(total, rows.length) };
}

async function searchOwned<Stored extends Owned, Row extends OwnedRow>(
  db: Db,
  kind: OwnedKind<Stored, Row>,
  query: OwnedQuery<Row>,
): Promise<OwnedFound<Stored>> {
  const { owners, matches = () => true, sortBy, sort_order, page, limit } = query;
  const rows = await readRows(db, kind, owners, sortBy?.name ?? "this filter");
  const found = rows.filter(matches);
  const sorted = sortedRows(
    found,
    sortBy?.sortValueOf ?? (({ opened }) => opened),
    ({ sk }) => sk,
    sort_order,
  );
  const offset = (page - 1) * limit;
  return { records: await recordsAt(db, kind, sorted.slice(offset, offset + limit)), total: found.length };
}

/**
 * The index rows of all records, in no particular order.
 *
 * @param what  what the list sorts or filters by, for the error
 * @throws ServiceError BAD_REQUEST when there are more than `SEARCH_DEPTH`
 */
export async function readRows<Stored extends Owned, Row extends OwnedRow>(
  db: Db,
  kind: OwnedKind<Stored, Row>,
  owners: OwnedQuery<Row>["owners"],
  what: string,
): Promise<Row[]> {
  const { listing } = kind;
  if ((await countOwned(db, kind, owners)) > SEARCH_DEPTH) throw tooMany(what, listing, SEARCH_DEPTH);
  const rowsOf = async (partition: Partition) => {
    const rows: Row[] = [];
    for await (const row of listedRows(db, listing, partition, { forward: true })) rows.push(row);
    return rows;
  };
  return (await Promise.all(partitionsOf(owners).map(rowsOf))).flat();
}

const partitionsOf = (owners: readonly (string | null)[] | undefined): Partition[] =>
  owners?.map(ownerPartition) ?? allPartitions();

async function countOwned<Stored extends Owned, Row extends OwnedRow>(
  db: Db,
  { listing }: OwnedKind<Stored, Row>,
  owners: OwnedQuery<Row>["owners"],
): Promise<number> {
  if (!owners) return (await readCounters(db, listing.table)).records;
  const summaries = await Promise.all(owners.map((owner) => getOwnerSummary(db, listing.table, owner)));
  return summaries.reduce((sum, summary) => sum + (summary?.records ?? 0), 0);
}

/** The records of some rows. Rows of removed records that the index still shows are left out. */
async function recordsAt<Stored extends Owned, Row extends OwnedRow>(
  db: Db,
  { listing, read }: OwnedKind<Stored, Row>,
  rows: readonly Row[],
): Promise<Stored[]> {
  const nameOf = ({ pk, sk }: { pk?: unknown; sk?: unknown }) => JSON.stringify([pk, sk]);
  const keys = rows.map(({ pk, sk }) => ({ pk, sk }));
  const items = await batchGet(db, db.tables[listing.table], keys);
  const byKey = new Map(items.map((item) => [nameOf(item), read(item)]));
  return keys.flatMap((key) => byKey.get(nameOf(key)) ?? []);
}

/** An owner of records. */
export type Owner = OwnerSummary & { readonly user_id: string };
type OwnerRow = Owner & { readonly opened: string };

export type OwnersQuery = {
  /** Only this one; undefined for all. */
  readonly owner: string | undefined;
  readonly sort_by: "user_id" | "changed_at";
  readonly sort_order: "asc" | "desc";
  /** Counted from 1. */
  readonly page: number;
  readonly limit: number;
};

export type OwnersFound = { readonly owners: Owner[]; readonly total: number };

/**
 * One page of the owners of records in a table, and how many there are. By their last change it reads the index up to
 * the page's end; by id it reads all owners.
 *
 * @throws ServiceError BAD_REQUEST when it would have to read more than `LIST_DEPTH` owners
 */
export async function listOwners(db: Db, table: TableName, query: OwnersQuery): Promise<OwnersFound> {
  const { owner, sort_by, sort_order, page, limit } = query;
  const offset = (page - 1) * limit;
  if (owner !== undefined) {
    const one = await oneOwner(db, table, owner);
    return { owners: one.slice(offset, offset + limit), total: one.length };
  }
  const { owners: total } = await readCounters(db, table);
  if (offset >= total) return { owners: [], total };
  const byName = sort_by === "user_id";
  if (byName && total > LIST_DEPTH) throw tooMany(sort_by, listing(table));
  const rows = await rowsByCreation(db, listing(table), ownersPartitions(), {
    forward: sort_order === "asc",
    need: byName ? Number.POSITIVE_INFINITY : offset + limit,
    counted: total,
    matches: () => true,
  });
  const sorted = byName ? sortedRows(rows, nameOf, nameOf, sort_order) : rows;
  return { owners: sorted.slice(offset, offset + limit), total: Math.max(total, rows.length) };
}

async function oneOwner(db: Db, table: TableName, user_id: string): Promise<Owner[]> {
  const summary = await getOwnerSummary(db, table, user_id);
  return summary ? [{ user_id, ...summary }] : [];
}

const nameOf = ({ user_id }: Owner): string => user_id;

const listing = (table: TableName): Indexed<OwnerRow> => ({
  table,
  plural: `owners of ${table}`,
  sorted_by: "their last change",
});
