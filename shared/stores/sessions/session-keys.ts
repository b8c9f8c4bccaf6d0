import { createHash } from "node:crypto";

/** Partitions of the index over all sessions, so that opening sessions is no hot key. */
const ALL_SHARDS = 4;
/** An index key is shorter than an id may be. */
const ID_CHARS = 128;

export const sessionKey = (sessionId: string) => ({ pk: `session#${sessionId}`, sk: "session" });

/** A partition of an index, and with it the index. */
export type Partition = `owner#${string}` | `all#${number}`;

/** Where tombstones are found. */
export const REMOVED = "removed";

export const ownerPartition = (owner: string | null): Partition => `owner#${encodeURIComponent(owner ?? "")}`;

const allPartition = (sessionId: string): Partition => {
  const digest = createHash("sha256").update(sessionId).digest();
  return `all#${digest.readUInt32BE(0) % ALL_SHARDS}`;
};

export const allPartitions = (): Partition[] =>
  Array.from({ length: ALL_SHARDS }, (_, shard): Partition => `all#${shard}`);

/** Sorts by creation. */
export const openedKey = (createdAt: number, sessionId: string): string =>
  `${String(createdAt).padStart(12, "0")}#${sessionId.slice(0, ID_CHARS)}`;

type Placed = { readonly session_id: string; readonly user_id: string | null; readonly created_at: number };

/** The attributes that place a session in the indexes. */
export const indexKeys = ({ session_id, user_id, created_at }: Placed) => ({
  owner_key: ownerPartition(user_id),
  all_key: allPartition(session_id),
  opened: openedKey(created_at, session_id),
});

export const tallyKey = (partition: Partition) => ({ pk: `tally#${partition}`, sk: "tally" });
