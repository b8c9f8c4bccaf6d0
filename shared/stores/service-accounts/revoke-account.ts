import { absent, exists } from "../../data/guard.ts";
import type { Key } from "../../data/item.ts";
import { transact } from "../../data/transact.ts";
import { updateItem } from "../../data/writes.ts";
import type { Db } from "../db.ts";
import { accountKey, nameKey, type StoredAccount, tokenKey } from "./account-item.ts";

/**
 * Revokes an account, its token and its claim to the name together. One that is revoked already stays as it is.
 *
 * @param now  epoch seconds
 */
export async function revokeAccount(db: Db, account: StoredAccount, now: number): Promise<void> {
  const revoke = (key: Key) =>
    updateItem("service_accounts", key, {
      set: { revoked_at: now },
      guard: [exists, { revoked_at: absent }],
    });
  const result = await transact(db, {
    // The account's own item decides; the others are never revoked before it.
    account: revoke(accountKey(account.id)),
    token: revoke(tokenKey(account.token_hash)),
    name: revoke(nameKey(account.name)),
  });
  if (!result.written && result.refused !== "account") throw new Error(`account ${account.id} is torn`);
}
