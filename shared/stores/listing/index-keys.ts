import { createHash } from "node:crypto";

/**
 * Keys of the two indexes by creation that a table of listed records has: `by_owner`, with a partition for each user,
 * and `by_opening`, over everybody's.
 */

/** Partitions of the index over everybody's records, so that making records is no hot key. */
const ALL_SHARDS = 4;
/** An index key is shorter than an id may be. */
const ID_CHARS = 128;

/** A partition of an index, and with it the index. */
export type Partition = `owner#${string}` | `all#${number}`;

export const ownerPartition = (owner: string | null): Partition => `owner#${encodeURIComponent(owner ?? "")}`;

const allPartition = (id: string): Partition => {
  const digest = createHash("sha256").update(id).digest();
  return `all#${digest.readUInt32BE(0) % ALL_SHARDS}`;
};

export const allPartitions = (): Partition[] =>
  Array.from({ length: ALL_SHARDS }, (_, shard): Partition => `all#${shard}`);

/** Sorts by creation. @param createdAt epoch seconds */
export const openedKey = (createdAt: number, id: string): string =>
  `${String(createdAt).padStart(12, "0")}#${id.slice(0, ID_CHARS)}`;

type Placed = { readonly id: string; readonly user_id: string | null; readonly created_at: number };

/** The attributes that place a record in the indexes. */
export const indexKeys = ({ id, user_id, created_at }: Placed) => ({
  owner_key: ownerPartition(user_id),
  all_key: allPartition(id),
  opened: openedKey(created_at, id),
});

export const tallyKey = (partition: Partition) => ({ pk: `tally#${partition}`, sk: "tally" });
