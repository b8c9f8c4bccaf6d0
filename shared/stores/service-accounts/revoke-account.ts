import type { Db } from "../db.ts";
import { transact, type Write } from "../transact.ts";
import { accountKey, nameKey, type StoredAccount, tokenKey } from "./account-item.ts";

/**
 * Revokes an account, its token and its claim to the name together. One that is revoked already stays as it is.
 *
 * @param now  epoch seconds
 */
export async function revokeAccount(db: Db, account: StoredAccount, now: number): Promise<void> {
  const entry = (Key: { pk: string; sk: string }): Write => ({
    Update: {
      TableName: db.tables.service_accounts,
      Key,
      UpdateExpression: "SET revoked_at = :now",
      // The account's own item is the first entry and decides; the others are never revoked before it.
      ConditionExpression: "attribute_exists(pk) AND attribute_not_exists(revoked_at)",
      ExpressionAttributeValues: { ":now": now },
    },
  });
  const keys = [accountKey(account.id), tokenKey(account.token_hash), nameKey(account.name)];
  const transacted = await transact(db, () => keys.map(entry));
  if (!transacted.written && transacted.entry > 0) throw new Error(`account ${account.id} is torn`);
}
