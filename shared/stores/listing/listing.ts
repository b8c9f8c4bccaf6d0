import type { TableName } from "../../settings/table-env.ts";
import type { indexKeys, Partition } from "../index-keys.ts";

/**
 * A table with the two indexes that lists read.
 *
 * @typeParam Row  what an index carries of a record
 */
export type Indexed<Row> = {
  readonly table: TableName;
  /** Plural of the records' name, for error texts. */
  readonly plural: string;
  /** What its indexes sort by, for error texts; `created_at` when absent. */
  readonly sorted_by?: string;
  /** Never set: gives the compiler the type of the rows. */
  readonly row?: Row;
};

/**
 * How records of one table are listed by creation and counted.
 *
 * @typeParam Stored  a record
 */
export type Listing<Stored, Row> = Indexed<Row> & {
  /** The attributes that place a record in the indexes. */
  readonly placeOf: (record: Stored) => ReturnType<typeof indexKeys>;
  /** Partitions of further indexes with the record. */
  readonly otherPartitions?: (record: Stored) => readonly Partition[];
  /** The key that a record is counted under: the fields that lists filter by. */
  readonly countKey: (record: Stored | Row) => string;
  /** How long after the time that it sorts by a record may be written; two minutes when absent. */
  readonly settling_seconds?: number;
  /** Whether lists no longer need the count under a key. @param now epoch seconds */
  readonly isPast?: (countKey: string, now: number) => boolean;
};

/** What every index row carries. */
export type Listed = { readonly opened: string };
