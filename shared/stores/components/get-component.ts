import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { ComponentRecord } from "../../schemas/components/component-record.ts";
import { fitsKey } from "../../schemas/values/key-text.ts";
import type { Db } from "../db.ts";
import { componentFrom } from "./component-item.ts";
import { componentKey } from "./component-keys.ts";

/** A component as it is now, archived ones too; undefined also for an id that no key can hold. */
export async function getComponent(db: Db, id: string): Promise<ComponentRecord | undefined> {
  if (!fitsKey(id)) return undefined;
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.components, Key: componentKey(id), ConsistentRead: true }),
  );
  return Item && componentFrom(Item);
}
