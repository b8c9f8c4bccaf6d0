import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { accountFrom, accountKey, type StoredAccount } from "./account-item.ts";

export async function getAccount(db: Db, id: string): Promise<StoredAccount | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.service_accounts, Key: accountKey(id), ConsistentRead: true }),
  );
  return Item && accountFrom(Item);
}
