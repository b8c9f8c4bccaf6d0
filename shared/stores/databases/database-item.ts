import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import type { Item } from "../../data/index.ts";
import { MigrationPosition } from "../../schemas/databases/migration-position.ts";
import type { Db } from "../db.ts";
import { databaseKey } from "./new-database.ts";

const base = {
  db_id: v.string(),
  /** No record is of an older one. */
  version: v.number(),
  target_version: v.number(),
  /** Counted since the migration was requested. */
  records_read: v.number(),
  records_changed: v.number(),
  /** Epoch seconds. */
  started_at: v.number(),
  updated_at: v.number(),
};

/** The position of a migration between two versions; stored until the database is at one. */
const betweenVersions = { ...base, position: v.optional(MigrationPosition) };

/** A database whose migration was requested, or that was new under a release that says so. Others have no record. */
export const StoredDatabase = v.variant("status", [
  v.object({ ...base, status: v.literal("settled") }),
  v.object({
    ...betweenVersions,
    status: v.literal("migrating"),
    /** Consecutive claims without progress, ended by an outage or with their process. */
    outages: v.optional(v.number()),
    /** The process that has claimed it, and when that process must have ended; epoch seconds. */
    worker: v.optional(v.string()),
    busy_until: v.optional(v.number()),
  }),
  v.object({ ...betweenVersions, status: v.literal("failed"), error: v.string() }),
]);
export type StoredDatabase = v.InferOutput<typeof StoredDatabase>;
export type MigratingDatabase = Extract<StoredDatabase, { status: "migrating" }>;

/** @throws when the item is not a database of a shape that this code reads */
export const databaseFrom = (item: Item): StoredDatabase => v.parse(StoredDatabase, item);

/** How far a database has been migrated; undefined for one that was never migrated. */
export async function getDatabase(db: Db, dbId: string): Promise<StoredDatabase | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.databases, Key: databaseKey(dbId), ConsistentRead: true }),
  );
  return Item && databaseFrom(Item);
}
