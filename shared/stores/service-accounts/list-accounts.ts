import type { Db } from "../db.ts";
import { queryPages } from "../query-pages.ts";
import { ACCOUNTS, accountFrom, type StoredAccount } from "./account-item.ts";

/** All accounts, revoked ones too. People mint them, so they are few enough to read all. */
export async function listAccounts(db: Db): Promise<StoredAccount[]> {
  const accounts: StoredAccount[] = [];
  const pages = queryPages(db, {
    TableName: db.tables.service_accounts,
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": ACCOUNTS },
    ConsistentRead: true,
  });
  for await (const { Items = [] } of pages) accounts.push(...Items.map(accountFrom));
  return accounts;
}
