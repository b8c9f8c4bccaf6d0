import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import {
  absent,
  absentOr,
  below,
  deleteItem,
  type Guard,
  updateItem,
  type Write,
  write,
} from "../../data/index.ts";
import { type Db, queryPages } from "../db.ts";
import { REMOVED, type StoredSession, sessionKey } from "./session-item.ts";

/**
 * What stays of a session while its runs are removed. It reserves the id, so that no new session finds the runs of the
 * old one; once they are removed it is `vacant`, and the id may be used again.
 */
const Tombstone = v.object({
  session_id: v.string(),
  user_id: v.nullable(v.string()),
  /** Epoch seconds. */
  deleted_at: v.number(),
  vacant: v.optional(v.literal(true)),
});
export type Tombstone = v.InferOutput<typeof Tombstone>;

/** Users' content is removed at once; the owner stays, because it is in the key of the runs. */
const CONTENT = [
  "session_name",
  "derived_name",
  "session_state",
  "state_large",
  "metadata",
  "summary",
  "compaction",
  "owner_key",
];

/** The write that turns a session into its tombstone; refused when it is gone, or another one has its id. */
export const tombstoneOf = ({ session_id, created_at }: StoredSession, now: number): Write =>
  updateItem("sessions", sessionKey(session_id), {
    set: { deleted_at: now, all_key: REMOVED },
    remove: CONTENT,
    guard: { created_at, deleted_at: absent },
  });

export async function getTombstone(db: Db, sessionId: string): Promise<Tombstone | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.sessions, Key: sessionKey(sessionId), ConsistentRead: true }),
  );
  return Item?.deleted_at === undefined ? undefined : v.parse(Tombstone, Item);
}

/** A tombstone that one process has claimed, and with it the id, until `busy_until`; epoch seconds. */
export type ClaimedTombstone = Tombstone & { readonly busy_until: number };

/**
 * Claims a tombstone for one process, so that no other still removes runs after this one has freed their id.
 *
 * @param until  epoch seconds at which the process must have ended
 * @returns      undefined when another process has it, or a new session has the id
 */
export async function claimTombstone(
  db: Db,
  seen: Tombstone,
  now: number,
  until: number,
): Promise<ClaimedTombstone | undefined> {
  const claim = updateItem("sessions", sessionKey(seen.session_id), {
    set: { busy_until: until },
    remove: ["vacant"],
    guard: { deleted_at: seen.deleted_at, busy_until: absentOr(below(now)) },
  });
  return (await write(db, claim)).written ? { ...seen, busy_until: until } : undefined;
}

/**
 * Releases a tombstone.
 *
 * @param vacant  whether no run is left that a new session of this id would find
 */
export async function releaseTombstone(db: Db, claimed: ClaimedTombstone, vacant: boolean): Promise<void> {
  await write(
    db,
    updateItem("sessions", sessionKey(claimed.session_id), {
      set: { busy_until: undefined, ...(vacant && { vacant }) },
      guard: isClaimed(claimed),
    }),
  );
}

/** Deletes the tombstone: nothing is left of the session. */
export async function dropTombstone(db: Db, claimed: ClaimedTombstone): Promise<void> {
  await write(db, deleteItem("sessions", sessionKey(claimed.session_id), isClaimed(claimed)));
}

const isClaimed = ({ deleted_at, busy_until }: ClaimedTombstone): Guard => ({ deleted_at, busy_until });

/** Ids of sessions whose removal began before an instant and is not over. @param before epoch seconds */
export async function listTombstones(db: Db, before: number, limit: number): Promise<string[]> {
  const ids: string[] = [];
  const pages = queryPages(db, {
    TableName: db.tables.sessions,
    IndexName: "by_opening",
    KeyConditionExpression: "all_key = :removed",
    FilterExpression: "deleted_at <= :before",
    ExpressionAttributeValues: { ":removed": REMOVED, ":before": before },
  });
  for await (const { Items = [] } of pages) {
    ids.push(...Items.map(({ session_id }) => String(session_id)));
    if (ids.length >= limit) break;
  }
  return ids.slice(0, limit);
}

/** Whether the removal of a session of a user is not over. Reads the tombstones of all users, of which there are few. */
export async function hasTombstones(db: Db, owner: string): Promise<boolean> {
  const pages = queryPages(db, {
    TableName: db.tables.sessions,
    IndexName: "by_opening",
    KeyConditionExpression: "all_key = :removed",
    FilterExpression: "user_id = :owner",
    ExpressionAttributeValues: { ":removed": REMOVED, ":owner": owner },
  });
  for await (const { Items = [] } of pages) if (Items.length > 0) return true;
  return false;
}
