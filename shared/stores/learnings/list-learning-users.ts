import type { Db } from "../db.ts";
import { sortedRows } from "../listing/sorted-rows.ts";
import { readRows } from "../owned/list-owned.ts";
import { listOwners, type OwnersQuery } from "../owned/list-owners.ts";
import { learningKind } from "./learning-item.ts";

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
