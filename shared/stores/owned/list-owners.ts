import type { TableName } from "../../settings/table-env.ts";
import type { Db } from "../db.ts";
import { ownersPartitions } from "../listing/index-keys.ts";
import type { Indexed } from "../listing/listing.ts";
import { LIST_DEPTH, rowsByCreation, tooMany } from "../listing/rows-by-creation.ts";
import { sortedRows } from "../listing/sorted-rows.ts";
import { readCounters } from "./owned-counters.ts";
import { getOwnerSummary, type OwnerSummary } from "./owner-summary.ts";

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
