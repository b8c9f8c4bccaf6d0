import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import type { VersionRecord } from "../../schemas/components/component-record.ts";
import type { Db } from "../db.ts";
import { queryPages } from "../query-pages.ts";
import { componentKey } from "./component-keys.ts";
import { versionFrom } from "./version-item.ts";

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
