import type { Indexed, Listed } from "../listing/listing.ts";
import type { Item } from "../transact.ts";

/**
 * What a table of owned records keeps: many small records of one user each, listed by their last change. Memories and
 * learnings are such.
 *
 *   owner#<user>   record#<id>   a record: nobody who does not name its owner can read or write it
 *   owner#<user>   summary       how many records the owner has, and when one was last written
 *   record#<id>    owner         whose record has this id; ids are unique over all owners
 *   count#<shard>  count         how many records and owners there are
 *
 * All of these change in one transaction, see `change-owned.ts`.
 */
export type Owned = {
  /** Null for what belongs to nobody. */
  readonly user_id: string | null;
  /** Epoch seconds. */
  readonly created_at: number;
  /** Epoch milliseconds: two changes within a second keep their order. */
  readonly changed_at_ms: number;
};

/** What every index row of an owned record carries; the keys are those of the record. */
export type OwnedRow = Listed & Owned & { readonly pk: string; readonly sk: string };

/**
 * How one kind of owned record is kept.
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
