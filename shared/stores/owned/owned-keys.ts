import { createHash } from "node:crypto";
import { allPartition, changedKey, ownerPartition, ownersPartition, shardOf } from "../listing/index-keys.ts";
import type { Owned } from "./owned.ts";

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

export const counterKeys = () => Array.from({ length: COUNTER_SHARDS }, (_, shard) => counterAt(shard));

const counterAt = (shard: number) => ({ pk: `count#${shard}`, sk: "count" });
