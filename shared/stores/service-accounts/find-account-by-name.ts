import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import type { Db } from "../db.ts";
import { nameKey, type StoredAccount, StoredName } from "./account-item.ts";
import { getAccount } from "./get-account.ts";

/** The account that has a name, or had it last, also when it is revoked. */
export async function findAccountByName(db: Db, name: string): Promise<StoredAccount | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.service_accounts, Key: nameKey(name), ConsistentRead: true }),
  );
  return Item && getAccount(db, v.parse(StoredName, Item).account_id);
}
