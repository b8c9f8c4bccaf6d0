import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { above, absentOr, atMost, exists, updateItem, write, writeAndRead } from "../../data/index.ts";
import { type Db, queryPages } from "../db.ts";
import { findAppToken } from "../oauth/find-app-token.ts";
import { grantKey, isGrant } from "../oauth/oauth-items.ts";
import { accountKey, ofAllAccounts, type StoredToken, tokenFrom, tokenKey } from "./account-item.ts";

/** The access to this table that authorization needs, over a connection; `auth/access-store.ts` has the contract. */
export const accessStoreOver = (db: Db) => ({
  findToken: (hash: string) => findToken(db, hash),
  findAppToken: (hash: string) => findAppToken(db, hash),
  listTokens: () => listTokens(db),
  recordUse: (accountId: string, now: number) => recordUse(db, accountId, now),
  countFailure: (address: string, now: number) => countInWindow(db, `failures#${address}`, now),
  countRequests: (who: string, count: number, now: number) =>
    countInWindow(db, `requests#${who}`, now, count),
});

const WINDOW_SECONDS = 60;

type Counted = { readonly count: number; readonly ends_at: number };

/**
 * Counts further events of a kind in the minute that began with the first. When two processes start a minute
 * concurrently, the events of one are not counted; a limit tolerates that.
 *
 * @param kind   such as `failures#203.0.113.7`
 * @param now    epoch seconds
 * @param count  how many
 */
async function countInWindow(db: Db, kind: string, now: number, count = 1): Promise<Counted> {
  const key = { pk: kind, sk: "window" };
  const counted = await writeAndRead(
    db,
    updateItem("service_accounts", key, { add: { count }, guard: { expires_at: above(now) } }),
  );
  if (counted.written) return { count: Number(counted.item.count), ends_at: Number(counted.item.expires_at) };
  const ends_at = now + WINDOW_SECONDS;
  await write(db, updateItem("service_accounts", key, { set: { count, expires_at: ends_at } }));
  return { count, ends_at };
}

/** A consistent read, so that a token that was revoked before the call reads as revoked. */
async function findToken(db: Db, hash: string): Promise<StoredToken | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.service_accounts, Key: tokenKey(hash), ConsistentRead: true }),
  );
  return Item && tokenFrom(Item);
}

/** One query for each 1 MB of accounts: about 2,000 of them. */
async function listTokens(db: Db): Promise<Set<string>> {
  const hashes = new Set<string>();
  const pages = queryPages(db, {
    ...ofAllAccounts(db),
    ProjectionExpression: "token_hash",
    FilterExpression: "attribute_not_exists(revoked_at)",
  });
  for await (const { Items = [] } of pages)
    for (const { token_hash } of Items) hashes.add(String(token_hash));
  return hashes;
}

const RECORDED_EVERY_SECONDS = 60;

/**
 * Sets `last_used_at`, unless any process has done so within the last minute.
 *
 * @param now  epoch seconds
 */
async function recordUse(db: Db, accountId: string, now: number): Promise<void> {
  const before = now - RECORDED_EVERY_SECONDS;
  await write(
    db,
    updateItem("service_accounts", isGrant(accountId) ? grantKey(accountId) : accountKey(accountId), {
      set: { last_used_at: now },
      guard: [exists, { last_used_at: absentOr(atMost(before)) }],
    }),
  );
}
