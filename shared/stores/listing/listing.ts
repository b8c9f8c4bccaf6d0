import type { TableName } from "../../runtime/table-env.ts";
import type { indexKeys, Partition } from "./index-keys.ts";

/**
 * A table with the two indexes that lists read.
 *
 * @typeParam Row  what an index carries of a record
 */
export type Indexed<Row> = {
  readonly table: TableName;
  /** What several of the records are called, for refusals. */
  readonly plural: string;
  /** What its indexes sort by, for refusals; `created_at` when absent. */
  readonly sorted_by?: string;
  /** Never there: tells the compiler what the indexes carry. */
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
  /** Partitions of further indexes that a record is in. */
  readonly otherPartitions?: (record: Stored) => readonly Partition[];
  /** What a record is counted under: whatever lists filter by. */
  readonly countKey: (record: Stored | Row) => string;
  /** How late a record may come after the moment that it sorts by; two minutes when absent. */
  readonly settling_seconds?: number;
  /** Whether no list asks for what is counted under a key any more. @param now epoch seconds */
  readonly isPast?: (countKey: string, now: number) => boolean;
};

/** What every index row carries. */
export type Listed = { readonly opened: string };
