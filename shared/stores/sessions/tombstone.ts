import { DeleteCommand, GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import type { Db } from "../db.ts";
import { queryPages } from "../query-pages.ts";
import type { Write } from "../transact.ts";
import { writeIfUnchanged } from "../write-if-unchanged.ts";
import type { StoredSession } from "./session-item.ts";
import { REMOVED, sessionKey } from "./session-keys.ts";

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

/** The entry that turns a session into its tombstone; refuses when it is gone, or another one has its id. */
export const tombstoneEntry = (db: Db, { session_id, created_at }: StoredSession, now: number): Write => ({
  Update: {
    TableName: db.tables.sessions,
    Key: sessionKey(session_id),
    UpdateExpression: `SET deleted_at = :now, all_key = :removed REMOVE ${CONTENT.join(", ")}`,
    ConditionExpression: "created_at = :created_at AND attribute_not_exists(deleted_at)",
    ExpressionAttributeValues: { ":now": now, ":removed": REMOVED, ":created_at": created_at },
  },
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
  const update = new UpdateCommand({
    TableName: db.tables.sessions,
    Key: sessionKey(seen.session_id),
    UpdateExpression: "SET busy_until = :until REMOVE vacant",
    ConditionExpression:
      "deleted_at = :deleted_at AND (attribute_not_exists(busy_until) OR busy_until < :now)",
    ExpressionAttributeValues: { ":until": until, ":deleted_at": seen.deleted_at, ":now": now },
  });
  const claimed = await writeIfUnchanged(() => db.client.send(update));
  return claimed ? { ...seen, busy_until: until } : undefined;
}

/**
 * Releases a tombstone.
 *
 * @param vacant  whether no run is left that a new session of this id would find
 */
export async function releaseTombstone(db: Db, claimed: ClaimedTombstone, vacant: boolean): Promise<void> {
  const update = new UpdateCommand({
    TableName: db.tables.sessions,
    Key: sessionKey(claimed.session_id),
    UpdateExpression: vacant ? "SET vacant = :true REMOVE busy_until" : "REMOVE busy_until",
    ConditionExpression: IS_CLAIMED,
    ExpressionAttributeValues: { ...claimOf(claimed), ...(vacant && { ":true": true }) },
  });
  await writeIfUnchanged(() => db.client.send(update));
}

/** Deletes the tombstone: nothing is left of the session. */
export async function dropTombstone(db: Db, claimed: ClaimedTombstone): Promise<void> {
  const removal = new DeleteCommand({
    TableName: db.tables.sessions,
    Key: sessionKey(claimed.session_id),
    ConditionExpression: IS_CLAIMED,
    ExpressionAttributeValues: claimOf(claimed),
  });
  await writeIfUnchanged(() => db.client.send(removal));
}

const IS_CLAIMED = "deleted_at = :deleted_at AND busy_until = :until";
const claimOf = ({ deleted_at, busy_until }: ClaimedTombstone) => ({
  ":deleted_at": deleted_at,
  ":until": busy_until,
});

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
