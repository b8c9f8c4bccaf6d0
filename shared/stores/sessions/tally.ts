import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import type { Db } from "../db.ts";
import { type Partition, tallyKey } from "../listing/index-keys.ts";
import type { Write } from "../transact.ts";

/**
 * How many sessions a partition of an index holds up to a point in the order of creation. Opening a session writes
 * none of this: lists count what came after the point, and move the point when that has grown.
 *
 *   ├── counted once, remembered by type and component ──┤── counted by every list ──┤ now
 *                                                     through
 */
const Tally = v.object({
  /** Sort key of the last session that is counted. */
  through: v.string(),
  counts: v.record(v.string(), v.number()),
  /** When a session was last removed from the partition or changed its component; epoch seconds. */
  changed_at: v.number(),
  version: v.number(),
});
export type Tally = v.InferOutput<typeof Tally>;

/** Before every session. */
const START = "0";
const nothing: Tally = { through: START, counts: {}, changed_at: 0, version: 0 };

export async function getTally(db: Db, partition: Partition): Promise<Tally> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.sessions, Key: tallyKey(partition), ConsistentRead: true }),
  );
  return Item ? v.parse(Tally, Item) : nothing;
}

/** The entry that replaces a tally; refuses when it is no longer the one that was seen. */
export function replaceTally(
  db: Db,
  partition: Partition,
  { version }: Tally,
  tally: Omit<Tally, "version">,
) {
  return {
    Put: {
      TableName: db.tables.sessions,
      Item: { ...tallyKey(partition), ...tally, version: version + 1 },
      ...(version === 0
        ? { ConditionExpression: "attribute_not_exists(pk)" }
        : { ConditionExpression: "version = :seen", ExpressionAttributeValues: { ":seen": version } }),
    },
  } satisfies Write;
}

type Counted = { readonly session_type: string; readonly component_id?: string | undefined };

/** What a session is counted under: lists filter by these two. */
export const countKey = ({ session_type, component_id = "" }: Counted): string =>
  `${session_type} ${component_id}`;

type Filter = { readonly type?: string | undefined; readonly component_id?: string | undefined };

/** How many of the counted sessions pass a filter. */
export function sumOf(counts: Tally["counts"], { type, component_id }: Filter): number {
  return Object.entries(counts).reduce((sum, [key, count]) => {
    const blank = key.indexOf(" ");
    const passes =
      (type === undefined || key.slice(0, blank) === type) &&
      (component_id === undefined || key.slice(blank + 1) === component_id);
    return passes ? sum + count : sum;
  }, 0);
}

/** @param by  +1 or -1 */
export function counted(counts: Tally["counts"], of: Counted, by: number): Tally["counts"] {
  const key = countKey(of);
  const { [key]: before = 0, ...others } = counts;
  return before + by === 0 ? others : { ...others, [key]: before + by };
}
