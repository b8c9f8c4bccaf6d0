import { createHash } from "node:crypto";
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { deleteItem, type Item, isNew, putItem, updateItem, type Write } from "../../data/index.ts";
import type { TableName } from "../../settings/table-env.ts";
import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import { allPartition, changedKey, ownerPartition, ownersPartition, shardOf } from "../index-keys.ts";
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

/** A sort key has at most 1,024 bytes, and ids may contain what clients send. */
const MAX_ID_BYTES = 900;
/** Partitions of the counters, so that concurrent transactions seldom meet on one. */
const COUNTER_SHARDS = 8;

const inKey = (id: string): string =>
  Buffer.byteLength(id) <= MAX_ID_BYTES ? id : createHash("sha256").update(id).digest("base64url");

/** Prefix of the sort keys of records. */
export const RECORD = "record#";

export const recordKey = (owner: string | null, id: string) => ({
  pk: ownerPartition(owner),
  sk: `${RECORD}${inKey(id)}`,
});

export const placeKey = (id: string) => ({ pk: `${RECORD}${inKey(id)}`, sk: "owner" });

export const summaryKey = (owner: string | null) => ({ pk: ownerPartition(owner), sk: "summary" });

/** The attributes that place a record in the indexes, which sort by last change. */
export const recordPlace = (id: string, { user_id, changed_at_ms }: Owned) => ({
  owner_key: ownerPartition(user_id),
  all_key: allPartition(id),
  opened: changedKey(changed_at_ms, id),
});

/** The attributes that list an owner among all owners. Records without an owner list none. */
export const ownerPlace = (owner: string | null, changedAtMs: number) =>
  owner === null ? {} : { all_key: ownersPartition(owner), opened: changedKey(changedAtMs, owner) };

/** The counter that an owner's changes are added to; every try uses another one. */
export const counterKey = (owner: string | null, tryNumber: number) =>
  counterAt((shardOf(owner ?? "", COUNTER_SHARDS) + tryNumber) % COUNTER_SHARDS);

const counterKeys = () => Array.from({ length: COUNTER_SHARDS }, (_, shard) => counterAt(shard));

const counterAt = (shard: number) => ({ pk: `count#${shard}`, sk: "count" });

/** How many records a table has, and how many users own some. */
export type OwnedCounts = { readonly records: number; readonly owners: number };

/** The write that adds to the counters of a table. @param tryNumber selects another shard for every try */
export const addToCounters = (
  table: TableName,
  { owner, by, tryNumber }: { owner: string | null; by: OwnedCounts; tryNumber: number },
): Write => updateItem(table, counterKey(owner, tryNumber), { add: by });

export async function readCounters(db: Db, table: TableName): Promise<OwnedCounts> {
  const shards = await batchGet(db, db.tables[table], counterKeys());
  const sumOf = (name: keyof OwnedCounts) => shards.reduce((sum, shard) => sum + Number(shard[name] ?? 0), 0);
  return { records: sumOf("records"), owners: sumOf("owners") };
}

/** The number of records of one owner, and their last change. */
const OwnerSummary = v.object({
  records: v.number(),
  /** When one was last written; epoch milliseconds. Removing one does not change it. */
  changed_at_ms: v.number(),
});
export type OwnerSummary = v.InferOutput<typeof OwnerSummary>;

/** @returns undefined for an owner without records */
export async function getOwnerSummary(
  db: Db,
  table: TableName,
  owner: string | null,
): Promise<OwnerSummary | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables[table], Key: summaryKey(owner), ConsistentRead: true }),
  );
  return Item && v.parse(OwnerSummary, Item);
}

/**
 * The write that replaces an owner's summary, or removes it with the last record; refused when the summary is no longer
 * as it was seen. What it writes depends only on that, so a change back to the same value does no harm.
 */
export function replaceOwnerSummary(
  table: TableName,
  owner: string | null,
  seen: OwnerSummary | undefined,
  next: OwnerSummary,
): Write {
  const asSeen = seen ? { ...seen } : isNew;
  if (next.records === 0) return deleteItem(table, summaryKey(owner), asSeen);
  const item = {
    ...summaryKey(owner),
    ...next,
    ...(owner !== null && { user_id: owner }),
    ...ownerPlace(owner, next.changed_at_ms),
  };
  return putItem(table, item, asSeen);
}
