import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { type StoredToken, tokenFrom, tokenKey } from "./account-item.ts";

/** A consistent read, so that a token that was revoked before the call reads as revoked. */
export async function findToken(db: Db, hash: string): Promise<StoredToken | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.service_accounts, Key: tokenKey(hash), ConsistentRead: true }),
  );
  return Item && tokenFrom(Item);
}
