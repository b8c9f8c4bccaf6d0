import { createHash } from "node:crypto";

/**
 * Keys of the two indexes by creation that a table of listed records has: `by_owner`, with a partition for each user,
 * and `by_opening`, over everybody's.
 */

/** Partitions of the index over everybody's records, so that creating records has no hot key. */
const ALL_SHARDS = 4;
/** An index key may be shorter than an id. */
const ID_CHARS = 128;

/** A partition of an index, and with it the index. */
export type Partition =
  | `owner#${string}`
  | `purge##${string}`
  | `all#${number}`
  | `owners#${number}`
  | `component#${string}`
  | `session#${string}`
  | `failed#${number}`
  | `resting#${string}#${number}`;

/**
 * Where by_owner lists what was removed of a user and still has to be purged. No partition of a knowledge base begins so: in those one `#`
 * stands alone.
 */
export const purgePartition = (owner: string | null): Partition =>
  `purge##${encodeURIComponent(owner ?? "")}`;

export const ownerPartition = (owner: string | null): Partition => `owner#${encodeURIComponent(owner ?? "")}`;

/** A number below `shards`, always the same for a text. */
export const shardOf = (text: string, shards: number): number =>
  createHash("sha256").update(text).digest().readUInt32BE(0) % shards;

const numbers = (shards: number): number[] => Array.from({ length: shards }, (_, shard) => shard);
const shards = numbers(ALL_SHARDS);

export const allPartition = (id: string, shards = ALL_SHARDS): Partition => `all#${shardOf(id, shards)}`;
export const allPartitions = (shards = ALL_SHARDS): Partition[] =>
  numbers(shards).map((shard): Partition => `all#${shard}`);

/**
 * What a record says of the index over everybody's: how many partitions it had when the record was placed, so that the record is
 * found where it is when there are more. Absent for as many as there are by default.
 */
export const placedAmong = (shards: number): { readonly index_shards?: number } =>
  shards === ALL_SHARDS ? {} : { index_shards: shards };

/** Where failed records are listed as well, in tables that list them. */
export const failedPartition = (id: string): Partition => `failed#${shardOf(id, ALL_SHARDS)}`;
export const failedPartitions = (): Partition[] => shards.map((shard): Partition => `failed#${shard}`);

/** One of the partitions of a prefix that has several. */
export const shardedPartition = <Prefix extends string>(prefix: Prefix, id: string, shards = ALL_SHARDS) =>
  `${prefix}#${shardOf(id, shards)}` as const;
export const shardedPartitions = <Prefix extends string>(prefix: Prefix, shards = ALL_SHARDS) =>
  numbers(shards).map((shard) => `${prefix}#${shard}` as const);

/** Where owners of records are listed, in tables that list them. */
export const ownersPartition = (owner: string): Partition => `owners#${shardOf(owner, ALL_SHARDS)}`;
export const ownersPartitions = (): Partition[] => shards.map((shard): Partition => `owners#${shard}`);

/** Sorts by creation. @param createdAt epoch seconds */
export const openedKey = (createdAt: number, id: string): string => sortKey(createdAt, 12, id);

/** Sorts by last change, where records are listed by that. @param changedAtMs epoch milliseconds */
export const changedKey = (changedAtMs: number, id: string): string => sortKey(changedAtMs, 15, id);

const sortKey = (at: number, digits: number, id: string): string =>
  `${String(at).padStart(digits, "0")}#${id.slice(0, ID_CHARS)}`;

type Placed = { readonly id: string; readonly user_id: string | null; readonly created_at: number };

/** The attributes that place a record in the indexes. @param shards partitions of the index over everybody's */
export const indexKeys = ({ id, user_id, created_at }: Placed, shards = ALL_SHARDS) => ({
  owner_key: ownerPartition(user_id),
  all_key: allPartition(id, shards),
  opened: openedKey(created_at, id),
});

export const tallyKey = (partition: Partition) => ({ pk: `tally#${partition}`, sk: "tally" });
