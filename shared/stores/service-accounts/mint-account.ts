import type { Db } from "../db.ts";
import { transact, type Write } from "../transact.ts";
import { accountItem, nameItem, type StoredAccount, tokenItem } from "./account-item.ts";

/**
 * Writes an account, its token and its name together.
 *
 * @param before  the account that had the name when it was decided who may have it; undefined where none had
 * @returns       false when an account that was not revoked has the name, an expired one too, or when another account
 *                has had it since `before` was read
 * @source contract, approvals-and-service-accounts B3, checks 6 and 7
 */
export async function mintAccount(
  db: Db,
  account: StoredAccount,
  before: { readonly account_id: string } | undefined,
): Promise<boolean> {
  const TableName = db.tables.service_accounts;
  const isNew = "attribute_not_exists(pk)";
  const writes: Write[] = [
    { Put: { TableName, Item: nameItem(account), ...nameGuard(before) } },
    { Put: { TableName, Item: accountItem(account), ConditionExpression: isNew } },
    { Put: { TableName, Item: tokenItem(account), ConditionExpression: isNew } },
  ];
  const transacted = await transact(db, () => writes);
  if (transacted.written) return true;
  if (transacted.entry === 0) return false;
  throw new Error("a fresh id or token exists already");
}

/** The name is as it was when it was read, and free. */
const nameGuard = (before: { readonly account_id: string } | undefined) =>
  before
    ? {
        ConditionExpression: "account_id = :before AND attribute_exists(revoked_at)",
        ExpressionAttributeValues: { ":before": before.account_id },
      }
    : { ConditionExpression: "attribute_not_exists(pk)" };
