import type { Db } from "../db.ts";
import { sortedRows } from "../listing/listed-rows.ts";
import { type LearningRow, learningKind, type StoredLearning } from "./learning-item.ts";
import {
  listOwned,
  listOwners,
  type OwnedFound,
  type OwnedQuery,
  type OwnersQuery,
  readRows,
} from "./list-owned.ts";

/** Fields that lists filter by; for users see `owners`. */
const learningFilters = [
  "learning_type",
  "agent_id",
  "team_id",
  "session_id",
  "namespace",
  "entity_id",
  "entity_type",
] as const;
type Filter = { readonly [F in (typeof learningFilters)[number]]?: string | undefined };

const columns = [...learningFilters, "learning_id", "user_id", "created_at"] as const;

export type LearningsQuery = Filter & {
  /** Whose learnings, null for those without an owner; undefined for everybody's. */
  readonly owners: readonly (string | null)[] | undefined;
  /** Anything but the name of a column sorts by `updated_at`. */
  readonly sort_by: string;
  readonly sort_order: "asc" | "desc";
  /** Counted from 1. */
  readonly page: number;
  readonly limit: number;
};

/** @throws ServiceError BAD_REQUEST when it would have to look at too many, see `listOwned` */
export function listLearnings(db: Db, query: LearningsQuery): Promise<OwnedFound<StoredLearning>> {
  const { owners, sort_order, page, limit } = query;
  const filters = learningFilters.filter((name) => query[name] !== undefined);
  return listOwned(db, learningKind, {
    owners,
    matches: filters.length > 0 ? (row) => filters.every((name) => row[name] === query[name]) : undefined,
    sortBy: sortColumn(query.sort_by),
    sort_order,
    page,
    limit,
  });
}

/** Sorting by last change needs no column: the index is in that order. */
function sortColumn(sortBy: string): OwnedQuery<LearningRow>["sortBy"] {
  const name = columns.find((column) => column === sortBy);
  return name && { name, sortValueOf: (row) => row[name] };
}

export type LearningUsersQuery = OwnersQuery & { readonly learning_type: string | undefined };

export type LearningUsersFound = {
  readonly users: { readonly user_id: string; readonly changed_at_ms: number }[];
  readonly total: number;
};

/**
 * One page of the users that have learnings. With a type, all rows are read.
 *
 * @throws ServiceError BAD_REQUEST when it would have to look at too many
 */
export async function listLearningUsers(db: Db, query: LearningUsersQuery): Promise<LearningUsersFound> {
  if (query.learning_type === undefined) {
    const { owners, total } = await listOwners(db, "learnings", query);
    return { users: owners, total };
  }
  const { owner, learning_type, sort_by, sort_order, page, limit } = query;
  const owners = owner === undefined ? undefined : [owner];
  const rows = await readRows(db, learningKind, owners, "learning_type");
  const latest = new Map<string, number>();
  for (const { user_id, changed_at_ms, ...row } of rows) {
    if (user_id === null || row.learning_type !== learning_type) continue;
    latest.set(user_id, Math.max(changed_at_ms, latest.get(user_id) ?? 0));
  }
  const users = [...latest].map(([user_id, changed_at_ms]) => ({ user_id, changed_at_ms }));
  const column = sort_by === "user_id" ? sort_by : "changed_at_ms";
  const sorted = sortedRows(
    users,
    (user) => user[column],
    ({ user_id }) => user_id,
    sort_order,
  );
  return { users: sorted.slice((page - 1) * limit, page * limit), total: users.length };
}
