import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import type { Item } from "../../data/item.ts";
import type { SegmentCursor } from "../../schemas/databases/migration-position.ts";
import type { TableName } from "../../settings/table-env.ts";
import type { Db } from "../db.ts";

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

/** One page of a table's records of all kinds; for migrations, never for a request. */
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
  return {
    records: Items,
    cursor: last ? { pk: String(last.pk), sk: String(last.sk) } : "done",
    units: ConsumedCapacity?.CapacityUnits ?? 1,
  };
}
