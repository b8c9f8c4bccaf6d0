import type { TableName } from "../runtime/table-env.ts";
import type { Item } from "../stores/transact.ts";

/** What is to be done to a record. */
export type Change = {
  readonly set?: Item;
  readonly remove?: readonly string[];
  /** Attributes that the change was made from: it is made anew when one of them has changed meanwhile. */
  readonly from?: readonly string[];
};

/**
 * Looks at one record; undefined where nothing is to be done. Must be pure, and must have nothing to do to what it has
 * done: records are seen again after a crash.
 */
export type Rewrite = (record: Item) => Change | undefined;

/** One way through one table. Other sorts of records share the table: both look at the key first. */
export type MigrationStep = {
  readonly table: TableName;
  readonly up: Rewrite;
  readonly down: Rewrite;
};

/**
 * The way from the version before to this one, and back.
 *
 * The service goes on meanwhile, so for as long as a migration may run, readers must understand records of both
 * versions; the release before, which may still be running, must understand what `up` makes of its records.
 */
export type Migration = {
  readonly version: number;
  readonly name: string;
  readonly steps: readonly MigrationStep[];
};
