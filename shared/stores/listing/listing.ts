import type { TableName } from "../../runtime/table-env.ts";
import type { indexKeys } from "./index-keys.ts";

/**
 * How records of one table are listed by creation and counted.
 *
 * @typeParam Stored  a record
 * @typeParam Row     what an index carries of it
 */
export type Listing<Stored, Row> = {
  readonly table: TableName;
  /** What several of the records are called, for refusals. */
  readonly plural: string;
  /** The attributes that place a record in the indexes. */
  readonly placeOf: (record: Stored) => ReturnType<typeof indexKeys>;
  /** What a record is counted under: whatever lists filter by. */
  readonly countKey: (record: Stored | Row) => string;
};

/** What every index row carries. */
export type Listed = { readonly opened: string };
