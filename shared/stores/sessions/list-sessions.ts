import { ServiceError } from "../../errors.ts";
import type { SessionSortField, SessionType } from "../../schemas/sessions/session.ts";
import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import { allPartitions, ownerPartition, type Partition } from "../index-keys.ts";
import { countListed } from "../listing/count-listed.ts";
import {
  LIST_DEPTH,
  listedRows,
  rowsByCreation,
  type SortValue,
  sortedRows,
  tooMany,
} from "../listing/listed-rows.ts";
import { readSessions, type StoredSession, sessionKey } from "./session-item.ts";
import { type SessionRow, sessionListing, sumOf } from "./session-listing.ts";

export type SessionsQuery = {
  /** Whose sessions; undefined for everybody's. */
  readonly owner: string | undefined;
  readonly type: SessionType | undefined;
  readonly component_id: string | undefined;
  /** A part of the stored name, in any case. */
  readonly session_name: string | undefined;
  /** Counted from 1. */
  readonly page: number;
  readonly limit: number;
  readonly sort_by: SessionSortField;
  readonly sort_order: "asc" | "desc";
};

export type SessionsFound = { readonly sessions: StoredSession[]; readonly total: number };

/** Sorting by a column that no index carries reads every session; beyond this many it is refused. */
const UPDATED_SORT_DEPTH = 5_000;

/**
 * One page of sessions and the exact number of all that match. By creation (the default), without a name, it reads
 * the index up to the page's end and the sessions of the page, however many there are.
 *
 * @param now  epoch seconds
 * @throws ServiceError BAD_REQUEST when it would have to read more than `LIST_DEPTH` sessions
 */
export async function listSessions(db: Db, query: SessionsQuery, now: number): Promise<SessionsFound> {
  const partitions =
    query.owner === undefined ? allPartitions(db.runIndexShards) : [ownerPartition(query.owner)];
  const counts = await Promise.all(
    partitions.map((partition) => countListed(db, sessionListing, partition, now)),
  );
  const matching = counts.reduce((sum, of) => sum + sumOf(of, query), 0);
  const everything = counts.reduce((sum, of) => sum + sumOf(of, {}), 0);
  const offset = (query.page - 1) * query.limit;
  if (query.sort_by === "created_at" && query.session_name === undefined) {
    if (offset >= matching) return { sessions: [], total: matching };
    const rows = await rowsByCreation(db, sessionListing, partitions, {
      forward: query.sort_order === "asc",
      need: offset + query.limit,
      counted: matching,
      matches: (row) => matches(row, query),
    });
    return { sessions: await sessionsOf(db, rows.slice(offset)), total: Math.max(matching, rows.length) };
  }
  if (everything > LIST_DEPTH)
    throw tooMany(query.session_name === undefined ? query.sort_by : "name", sessionListing);
  const rows = await allRows(db, partitions, query);
  const sorted = await sortRows(db, rows, query);
  return {
    sessions: await sessionsOf(db, sorted.slice(offset, offset + query.limit)),
    total: rows.length,
  };
}

async function allRows(
  db: Db,
  partitions: readonly Partition[],
  query: SessionsQuery,
): Promise<SessionRow[]> {
  const found = await Promise.all(
    partitions.map(async (partition) => {
      const rows: SessionRow[] = [];
      for await (const row of listedRows(db, sessionListing, partition, { forward: true })) {
        if (matches(row, query)) rows.push(row);
      }
      return rows;
    }),
  );
  return found.flat();
}

function matches(row: SessionRow, { type, component_id, session_name }: SessionsQuery): boolean {
  return (
    (type === undefined || row.session_type === type) &&
    (component_id === undefined || row.component_id === component_id) &&
    (session_name === undefined ||
      (row.session_name?.toLowerCase().includes(session_name.toLowerCase()) ?? false))
  );
}

async function sortRows(
  db: Db,
  rows: SessionRow[],
  { sort_by, sort_order }: SessionsQuery,
): Promise<SessionRow[]> {
  const sortValueOf = sort_by === "updated_at" ? await updatesOf(db, rows) : columnOf(sort_by);
  return sortedRows(rows, sortValueOf, ({ session_id }) => session_id, sort_order);
}

const columnOf =
  (field: SessionSortField) =>
  (row: SessionRow): SortValue => {
    switch (field) {
      case "agent_id":
      case "team_id":
      case "workflow_id":
        return (row.session_type === field.slice(0, -"_id".length) && row.component_id) || null;
      case "session_id":
      case "session_type":
      case "user_id":
        return row[field];
      default:
        return row.created_at;
    }
  };

/** Every run changes this column, so no index carries it: it is read from the sessions themselves. */
async function updatesOf(db: Db, rows: readonly SessionRow[]): Promise<(row: SessionRow) => SortValue> {
  if (rows.length > UPDATED_SORT_DEPTH) {
    throw new ServiceError(
      "BAD_REQUEST",
      `sorting by updated_at reads every matching session, and ${rows.length} match; narrow the filter below ${UPDATED_SORT_DEPTH} or sort by created_at`,
    );
  }
  const keys = rows.map(({ session_id }) => sessionKey(session_id));
  const items = await batchGet(db, db.tables.sessions, keys, ["session_id", "updated_at"]);
  const byId = new Map(items.map((item) => [item.session_id, Number(item.updated_at)]));
  return ({ session_id, created_at }) => byId.get(session_id) ?? created_at;
}

/** The sessions of some rows. Removed ones that the index still shows are left out. */
const sessionsOf = (db: Db, rows: readonly SessionRow[]): Promise<StoredSession[]> =>
  readSessions(
    db,
    rows.map(({ session_id }) => session_id),
  );
