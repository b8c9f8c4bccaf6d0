import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { nameFrom, nameKey, type StoredAccount, type StoredToken } from "./account-item.ts";
import { getAccount } from "./get-account.ts";

/** The account that has a name, or had it last, and whose name it is: null if unowned. */
export type NamedAccount = StoredToken &
  Pick<StoredAccount, "daily_tokens" | "daily_cost"> & { readonly owner: string | null };

/** A consistent read; a second one where the name is of an earlier shape than 3. */
export async function findName(db: Db, name: string): Promise<NamedAccount | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.service_accounts, Key: nameKey(name), ConsistentRead: true }),
  );
  if (!Item) return undefined;
  const { owner, scopes, ...stored } = nameFrom(Item);
  if (owner !== undefined && scopes) return { ...stored, name, owner, scopes };
  const account = await getAccount(db, stored.account_id);
  if (!account) throw new Error(`the service account ${stored.account_id} of a name is missing`);
  return { ...account, account_id: account.id, owner: account.user_id ?? null };
}
