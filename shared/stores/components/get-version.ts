import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { VersionRecord } from "../../schemas/components/component-record.ts";
import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import { versionKey } from "./component-keys.ts";
import { versionFrom } from "./version-item.ts";

/** One version of a component as it is now. */
export async function getVersion(db: Db, id: string, version: number): Promise<VersionRecord | undefined> {
  if (version < 1) return undefined;
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.components, Key: versionKey(id, version), ConsistentRead: true }),
  );
  return Item && versionFrom(Item);
}

/** Names one version. */
export type VersionAddress = { readonly component_id: string; readonly version: number };

/** Several versions, in no particular order; missing ones are left out. */
export async function getVersions(db: Db, addresses: readonly VersionAddress[]): Promise<VersionRecord[]> {
  const keys = addresses.map(({ component_id, version }) => versionKey(component_id, version));
  const distinct = new Map(keys.map((key) => [JSON.stringify(key), key]));
  return (await batchGet(db, db.tables.components, [...distinct.values()])).map(versionFrom);
}
