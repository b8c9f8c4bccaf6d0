import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { isNew } from "../../data/guard.ts";
import { deleteItem, putItem, type Write } from "../../data/writes.ts";
import type { TableName } from "../../settings/table-env.ts";
import type { Db } from "../db.ts";
import { ownerPlace, summaryKey } from "./owned-keys.ts";

/** The number of records of one owner, and their last change. */
const OwnerSummary = v.object({
  records: v.number(),
  /** When one was last written; epoch milliseconds. Removing one does not change it. */
  changed_at_ms: v.number(),
});
export type OwnerSummary = v.InferOutput<typeof OwnerSummary>;

/** @returns undefined for an owner without records */
export async function getOwnerSummary(
  db: Db,
  table: TableName,
  owner: string | null,
): Promise<OwnerSummary | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables[table], Key: summaryKey(owner), ConsistentRead: true }),
  );
  return Item && v.parse(OwnerSummary, Item);
}

/**
 * The write that replaces an owner's summary, or removes it with the last record; refused when the summary is no longer
 * as it was seen. What it writes depends only on that, so a change back to the same value does no harm.
 */
export function replaceOwnerSummary(
  table: TableName,
  owner: string | null,
  seen: OwnerSummary | undefined,
  next: OwnerSummary,
): Write {
  const asSeen = seen ? { ...seen } : isNew;
  if (next.records === 0) return deleteItem(table, summaryKey(owner), asSeen);
  const item = {
    ...summaryKey(owner),
    ...next,
    ...(owner !== null && { user_id: owner }),
    ...ownerPlace(owner, next.changed_at_ms),
  };
  return putItem(table, item, asSeen);
}
