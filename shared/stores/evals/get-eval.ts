import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { Db } from "../db.ts";
import { evalFrom, type StoredEval, wholeEval } from "./eval-item.ts";
import { evalKey } from "./eval-keys.ts";

/** An evaluation with its large fields; undefined for one that is being removed. */
export async function getEval(db: Db, id: string): Promise<StoredEval | undefined> {
  const record = await getEvalHead(db, id);
  return record && wholeEval(db, record);
}

/** The same without its large fields, for checks of its status. */
export async function getEvalHead(db: Db, id: string): Promise<StoredEval | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.evals, Key: evalKey(id), ConsistentRead: true }),
  );
  const record = Item && evalFrom(Item);
  return record?.removed_at === undefined ? record : undefined;
}
