import { GetCommand, ScanCommand } from "@aws-sdk/lib-dynamodb";
import { asSeen, exists, type Item, type Update, updateItem, writeAndMeasure } from "../../data/index.ts";
import type { SegmentCursor } from "../../schemas/databases/migration-position.ts";
import type { TableName } from "../../settings/table-env.ts";
import type { Db } from "../db.ts";

type Change = {
  readonly set?: Item;
  readonly remove?: readonly string[];
  readonly from?: readonly string[];
};

export type Rewritten = {
  readonly changed: boolean;
  /** Write units. */
  readonly units: number;
};

/** So many lost races in a row on one record mean a defect. */
const TRIES = 16;

/**
 * Changes one record by its present content. The write is refused when the attributes that the change was computed
 * from have changed; it is then computed again from the item in the refusal. A record that was removed is not recreated.
 *
 * @param rewrite  undefined for a record that needs no change
 */
export async function rewriteRecord(
  db: Db,
  table: TableName,
  record: Item,
  rewrite: (record: Item) => Change | undefined,
): Promise<Rewritten> {
  let seen = record;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const change = rewrite(seen);
    if (!change) return { changed: false, units: 0 };
    const result = await writeAndMeasure(db, rewriteOf(table, seen, change));
    if (result.written) return { changed: true, units: result.units };
    if (!result.seen) return { changed: false, units: 1 };
    seen = result.seen;
  }
  throw new Error("a record changes whenever it is to be rewritten");
}

function rewriteOf(table: TableName, seen: Item, { set = {}, remove = [], from = [] }: Change): Update {
  const touched = [...Object.keys(set), ...remove, ...from];
  const asRead = Object.fromEntries(touched.map((name) => [name, asSeen(seen[name])]));
  return updateItem(table, { pk: seen.pk, sk: seen.sk }, { set, remove, guard: [exists, asRead] });
}

export type Segment = {
  readonly table: TableName;
  /** Counted from 0. */
  readonly number: number;
  readonly of: number;
  readonly cursor: Exclude<SegmentCursor, "done">;
};

export type ScannedPage = {
  readonly records: readonly Item[];
  readonly cursor: SegmentCursor;
  /** Read units. */
  readonly units: number;
};

/**
 * One page of a table's records of all kinds; for migrations, never for a request.
 *
 * An engine that looks up the record at which the last page ended finds nothing more where that one has been deleted since. So an
 * empty page behind a record that is gone is no end: the segment begins again, which changes nothing in what is rewritten already.
 */
export async function scanSegment(
  db: Db,
  { table, number, of, cursor }: Segment,
  limit: number,
): Promise<ScannedPage> {
  const {
    Items = [],
    LastEvaluatedKey,
    ConsumedCapacity,
  } = await db.client.send(
    new ScanCommand({
      TableName: db.tables[table],
      Segment: number,
      TotalSegments: of,
      Limit: limit,
      // Records that the previous release has just written must be seen: this segment is not read again.
      ConsistentRead: true,
      ReturnConsumedCapacity: "TOTAL",
      ...(cursor !== "begin" && { ExclusiveStartKey: cursor }),
    }),
  );
  const last = LastEvaluatedKey;
  const units = ConsumedCapacity?.CapacityUnits ?? 1;
  if (last) return { records: Items, cursor: { pk: String(last.pk), sk: String(last.sk) }, units };
  const mayGoOn = Items.length === 0 && cursor !== "begin" && !(await isThere(db, table, cursor));
  return { records: Items, cursor: mayGoOn ? "begin" : "done", units };
}

async function isThere(db: Db, table: TableName, key: Exclude<SegmentCursor, string>): Promise<boolean> {
  const { Item } = await db.client.send(
    new GetCommand({
      TableName: db.tables[table],
      Key: key,
      ConsistentRead: true,
      ProjectionExpression: "pk",
    }),
  );
  return Item !== undefined;
}
