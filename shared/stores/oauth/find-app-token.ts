import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import type { Item, Key } from "../../data/index.ts";
import type { Db } from "../db.ts";
import { appTokenKey, grantKey, StoredAppToken, StoredGrant } from "./oauth-items.ts";

/** A consistent read of an item of sign-in. */
export async function getOauthItem(db: Db, Key: Key): Promise<Item | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.service_accounts, Key, ConsistentRead: true }),
  );
  return Item;
}

export async function getGrant(db: Db, id: string): Promise<StoredGrant | undefined> {
  const item = await getOauthItem(db, grantKey(id));
  return item && v.parse(StoredGrant, item);
}

/**
 * What a token of a connected app may do, in two consistent reads: one that was disconnected before the call reads as
 * revoked. Its id is that of its grant.
 */
export async function findAppToken(db: Db, hash: string) {
  const item = await getOauthItem(db, appTokenKey(hash));
  if (!item) return undefined;
  const { grant_id, expires_at: _, ...token } = v.parse(StoredAppToken, item);
  const grant = await getGrant(db, grant_id);
  if (!grant) return undefined;
  const { revoked_at, valid_until } = grant;
  return {
    ...token,
    account_id: grant_id,
    valid_until: Math.min(token.valid_until, valid_until),
    ...(revoked_at !== undefined && { revoked_at }),
  };
}
