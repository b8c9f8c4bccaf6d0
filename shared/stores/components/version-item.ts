import { GetCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import type { Item } from "../../data/index.ts";
import { VersionRecord } from "../../schemas/components/component-record.ts";
import { batchGet } from "../batch-get.ts";
import { type Db, queryPages } from "../db.ts";
import { componentKey, versionKey } from "./component-item.ts";

/** Version of the stored shape; raised with every change of it. */
export const VERSION_SHAPE = 2;

/** Config and links are stored as text: an item allows 32 levels of nesting, JSON any number. */
export const versionItem = ({ config, links, ...version }: VersionRecord): Item => ({
  ...version,
  ...versionKey(version.component_id, version.version),
  config: JSON.stringify(config),
  links: JSON.stringify(links),
  shape: VERSION_SHAPE,
});

/** @throws when the item is not a version of a shape that this code reads */
const versionFrom = ({ config, links, ...item }: Item): VersionRecord =>
  v.parse(VersionRecord, { ...item, config: parsed(config), links: parsed(links) });

const parsed = (text: unknown): unknown => (typeof text === "string" ? JSON.parse(text) : undefined);

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

const highestFirst = (db: Db, id: string) => ({
  TableName: db.tables.components,
  KeyConditionExpression: "pk = :component AND begins_with(sk, :version)",
  ExpressionAttributeValues: { ":component": componentKey(id).pk, ":version": "version#" },
  ScanIndexForward: false,
  ConsistentRead: true,
});

/** All versions of a component that were not deleted, the highest first. */
export async function listVersions(db: Db, id: string): Promise<VersionRecord[]> {
  const versions: VersionRecord[] = [];
  for await (const { Items = [] } of queryPages(db, highestFirst(db, id))) {
    versions.push(...Items.map(versionFrom));
  }
  return versions;
}

/** The highest version of a component that was not deleted. */
export async function getLatestVersion(db: Db, id: string): Promise<VersionRecord | undefined> {
  const { Items } = await db.client.send(new QueryCommand({ ...highestFirst(db, id), Limit: 1 }));
  return Items?.[0] && versionFrom(Items[0]);
}
