import type { ApprovalFilter, ApprovalStatus } from "../../schemas/runs/approval.ts";
import { type Db, queryPages } from "../db.ts";
import { getApprovals, type StoredApproval, statusShards, userKey } from "./approval-item.ts";

export type ApprovalsFound = { readonly approvals: StoredApproval[]; readonly total: number };

/**
 * One page of approvals, the newest first, and the exact number of all that match. Reads the index rows of the
 * narrowest partition that the filter allows, and the records of the page.
 */
export async function listApprovals(
  db: Db,
  filter: ApprovalFilter,
  { page, limit }: { readonly page: number; readonly limit: number },
): Promise<ApprovalsFound> {
  const rows = (await Promise.all(partitionsOf(filter).map((one) => rowsOf(db, one, filter)))).flat();
  rows.sort((a, b) => (a.asked < b.asked ? 1 : -1));
  const ids = rows.slice((page - 1) * limit, page * limit).map(({ id }) => id);
  const approvals = await getApprovals(db, ids);
  // The index may lag behind a record that has changed.
  return { approvals: approvals.filter((approval) => matches(approval, filter)), total: rows.length };
}

/** Ids of the pending approvals whose deadline has passed. @param now epoch seconds */
export async function listOverdue(db: Db, now: number): Promise<string[]> {
  const rows = await Promise.all(
    partitionsOf({ status: "pending" }).map((one) => rowsOf(db, one, {}, { condition: OVERDUE, now })),
  );
  return rows.flat().map(({ id }) => id);
}

const OVERDUE = "deadline <= :now";

/** How many are pending, of one user or of all. Pending ones are few: each of them waits for a person. */
export async function countPending(db: Db, userId: string | undefined): Promise<number> {
  const filter = { status: "pending", ...(userId !== undefined && { user_id: userId }) };
  const rows = await Promise.all(partitionsOf({ status: "pending" }).map((one) => rowsOf(db, one, filter)));
  return rows.flat().length;
}

type Partition = { readonly index: "by_status" | "by_user"; readonly name: string; readonly value: string };
type Row = { readonly id: string; readonly asked: string };

function partitionsOf({ status, user_id }: ApprovalFilter): Partition[] {
  if (user_id !== undefined && status !== "pending") {
    return [{ index: "by_user", name: "user_key", value: userKey(user_id) }];
  }
  const shards = status === undefined ? statusShards() : statusShards([status as ApprovalStatus]); // as validated
  return shards.map((value) => ({ index: "by_status", name: "status_shard", value }));
}

async function rowsOf(
  db: Db,
  { index, name, value }: Partition,
  filter: ApprovalFilter,
  due?: { readonly condition: string; readonly now: number },
): Promise<Row[]> {
  const filtered = Object.entries(filter).filter(([, wanted]) => wanted !== undefined);
  const conditions = [...filtered.map(([field]) => `#${field} = :${field}`), ...(due ? [due.condition] : [])];
  const names = [...filtered.map(([field]) => field), "asked", "id"].map((field) => [`#${field}`, field]);
  const rows: Row[] = [];
  const pages = queryPages(db, {
    TableName: db.tables.approvals,
    IndexName: index,
    KeyConditionExpression: `${name} = :partition`,
    ProjectionExpression: "#id, #asked",
    ExpressionAttributeNames: Object.fromEntries(names),
    ExpressionAttributeValues: {
      ":partition": value,
      ...Object.fromEntries(filtered.map(([field, wanted]) => [`:${field}`, wanted])),
      ...(due && { ":now": due.now }),
    },
    ...(conditions.length > 0 && { FilterExpression: conditions.join(" AND ") }),
  });
  for await (const { Items = [] } of pages) rows.push(...(Items as Row[])); // as projected
  return rows;
}

const matches = (approval: StoredApproval, filter: ApprovalFilter): boolean =>
  Object.entries(filter).every(
    ([field, wanted]) => wanted === undefined || approval[field as keyof ApprovalFilter] === wanted, // its own keys
  );
