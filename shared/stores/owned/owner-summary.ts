import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import type { TableName } from "../../settings/table-env.ts";
import type { Db } from "../db.ts";
import type { Write } from "../transact.ts";
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
 * The entry that replaces an owner's summary, or removes it with the last record. It refuses when the summary is no
 * longer as it was seen. What it writes depends only on that, so a change back to the same value does no harm.
 */
export function replaceOwnerSummary(
  db: Db,
  table: TableName,
  owner: string | null,
  seen: OwnerSummary | undefined,
  next: OwnerSummary,
): Write {
  const TableName = db.tables[table];
  const asSeen = seen
    ? {
        ConditionExpression: "records = :records AND changed_at_ms = :changed",
        ExpressionAttributeValues: { ":records": seen.records, ":changed": seen.changed_at_ms },
      }
    : { ConditionExpression: "attribute_not_exists(pk)" };
  if (next.records === 0) return { Delete: { TableName, Key: summaryKey(owner), ...asSeen } };
  const Item = {
    ...summaryKey(owner),
    ...next,
    ...(owner !== null && { user_id: owner }),
    ...ownerPlace(owner, next.changed_at_ms),
  };
  return { Put: { TableName, Item, ...asSeen } };
}
