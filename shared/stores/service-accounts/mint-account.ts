import {
  absent,
  checkItem,
  exists,
  isNew,
  type Key,
  present,
  putItem,
  transact,
  updateItem,
} from "../../data/index.ts";
import { auditedChange } from "../audit/audit-item.ts";
import type { Db } from "../db.ts";
import {
  accountItem,
  accountKey,
  nameItem,
  nameKey,
  type StoredAccount,
  tokenItem,
  tokenKey,
} from "./account-item.ts";

/**
 * Writes an account, its token and its name together.
 *
 * @param before  the account that had the name when it was decided who may have it; undefined where none had
 * @param minter  name of the account that mints it, if one does
 * @returns       false when an account that was not revoked has the name, an expired one too, or when another account
 *                has had it since `before` was read
 */
export async function mintAccount(
  db: Db,
  account: StoredAccount,
  before: { readonly account_id: string } | undefined,
  minter?: string,
): Promise<boolean | "minter_revoked"> {
  const result = await transact(db, {
    // An account that is revoked now mints nothing that its revocation would not find.
    minter:
      minter === undefined
        ? undefined
        : checkItem("service_accounts", nameKey(minter), { revoked_at: absent }),
    // The name is as it was when it was read, and free.
    name: putItem(
      "service_accounts",
      nameItem(account),
      before ? { account_id: before.account_id, revoked_at: present } : isNew,
    ),
    account: putItem("service_accounts", accountItem(account), isNew),
    token: putItem("service_accounts", tokenItem(account), isNew),
    audit: auditedChange(db, {
      operation: "mintServiceAccount",
      target: { account_id: account.id, name: account.name },
      after: shownAccount(account),
    }),
  });
  if (result.written) return true;
  if (result.refused === "name") return false;
  if (result.refused === "minter") return "minter_revoked";
  throw new Error("a fresh id or token exists already");
}

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
    audit: auditedChange(db, {
      on_behalf_of: account.user_id ?? null,
      target: { account_id: account.id, name: account.name },
      before: shownAccount(account),
      after: { revoked_at: now },
    }),
  });
  if (!result.written && result.refused !== "account") throw new Error(`account ${account.id} is torn`);
}

/** What the audit shows of an account: nothing of its token. */
const shownAccount = ({ token_hash: _, token_prefix: __, ...account }: StoredAccount): object => account;
