import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { isNew, type Put, putItem } from "../../data/index.ts";
import type { TableName } from "../../settings/table-env.ts";
import type { Db } from "../db.ts";
import { type Partition, tallyKey } from "../index-keys.ts";

/**
 * How many records a partition of an index has up to a point in the order of creation. Creating a record does not write
 * it: lists count what came after the point, and move the point forward when that is much.
 *
 *   ├── counted once, stored by what lists filter by ──────┤── counted by every list ──┤ now
 *                                                       through
 */
const Tally = v.object({
  /** Sort key of the last record that is counted. */
  through: v.string(),
  counts: v.record(v.string(), v.number()),
  /** When a record of the partition was last removed, or last counted under another key; epoch seconds. */
  changed_at: v.number(),
  version: v.number(),
});
export type Tally = v.InferOutput<typeof Tally>;

/** Before every record. */
const START = "0";
const emptyTally: Tally = { through: START, counts: {}, changed_at: 0, version: 0 };

export async function getTally(db: Db, table: TableName, partition: Partition): Promise<Tally> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables[table], Key: tallyKey(partition), ConsistentRead: true }),
  );
  return Item ? v.parse(Tally, Item) : emptyTally;
}

/** The write that replaces a tally; refused when it is no longer the one that was seen. */
export const replaceTally = (
  table: TableName,
  partition: Partition,
  { version }: Tally,
  tally: Omit<Tally, "version">,
): Put => {
  const item = { ...tallyKey(partition), ...tally, version: version + 1 };
  return putItem(table, item, version === 0 ? isNew : { version });
};

/** @param by  +1 or -1 */
export function counted(counts: Tally["counts"], key: string, by: number): Tally["counts"] {
  const { [key]: before = 0, ...others } = counts;
  return before + by === 0 ? others : { ...others, [key]: before + by };
}
