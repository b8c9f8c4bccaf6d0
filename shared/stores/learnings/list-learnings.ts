import type { Db } from "../db.ts";
import { listOwned, type OwnedFound, type OwnedQuery } from "../owned/list-owned.ts";
import { type LearningRow, learningKind, type StoredLearning } from "./learning-item.ts";

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
