import type { Item } from "../../data/item.ts";
import type { Indexed, Listed } from "../listing/listing.ts";

/**
 * A table of owned records: many small records of one user each, listed by their last change. Memories and learnings
 * are such records.
 *
 *   owner#<user>   record#<id>   a record: it can be read and written only with its owner's id
 *   owner#<user>   summary       how many records the owner has, and when one was last written
 *   record#<id>    owner         the owner of the record with this id; ids are unique over all owners
 *   count#<shard>  count         how many records and owners there are
 *
 * All of these change in one transaction, see `change-owned.ts`.
 */
export type Owned = {
  /** Null for a record without an owner. */
  readonly user_id: string | null;
  /** Epoch seconds. */
  readonly created_at: number;
  /** Epoch milliseconds: two changes within a second keep their order. */
  readonly changed_at_ms: number;
};

/** What every index row of an owned record carries; the keys are those of the record. */
export type OwnedRow = Listed & Owned & { readonly pk: string; readonly sk: string };

/**
 * How one kind of owned record is stored.
 *
 * @typeParam Stored  a record
 * @typeParam Row     what an index carries of it
 */
export type OwnedKind<Stored extends Owned, Row extends OwnedRow> = {
  readonly listing: Indexed<Row>;
  readonly idOf: (record: Stored) => string;
  /** @throws when an item is no such record */
  readonly read: (item: Item) => Stored;
  /** Version of the stored shape; raised with every change of it. */
  readonly shape: number;
};
