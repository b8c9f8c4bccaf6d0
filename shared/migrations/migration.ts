import type { Item } from "../data/index.ts";
import type { TableName } from "../settings/table-env.ts";

/** A change of one record. */
export type Change = {
  readonly set?: Item;
  readonly remove?: readonly string[];
  /** Attributes that the change was computed from: it is computed again when one of them has changed. */
  readonly from?: readonly string[];
};

/**
 * The change of one record; undefined if it needs none. Must be pure and idempotent: after a crash it sees records that
 * it has changed already.
 */
export type Rewrite = (record: Item) => Change | undefined;

/** One scan of one table. It contains other kinds of records too: `up` and `down` must check the key first. */
export type MigrationStep = {
  readonly table: TableName;
  readonly up: Rewrite;
  readonly down: Rewrite;
};

/**
 * From the previous version to this one, and back.
 *
 * The service keeps running, so as long as a migration may run, readers must understand records of both versions; the
 * previous release, which may still be running, must understand the records that `up` writes.
 */
export type Migration = {
  readonly version: number;
  readonly name: string;
  readonly steps: readonly MigrationStep[];
};
