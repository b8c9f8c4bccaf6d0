import * as v from "valibot";
import { MigrationPosition } from "../../schemas/databases/migration-position.ts";
import type { Item } from "../transact.ts";

/** Version of the stored shape; raised with every change of it. */
export const DATABASE_SHAPE = 1;

const base = {
  db_id: v.string(),
  /** No record is of an older one. */
  version: v.number(),
  target_version: v.number(),
  /** Counted since the migration was asked for. */
  records_read: v.number(),
  records_changed: v.number(),
  /** Epoch seconds. */
  started_at: v.number(),
  updated_at: v.number(),
};

/** Where the records between two versions are; kept until the database is at one. */
const unsettled = { ...base, position: v.optional(MigrationPosition) };

/** A database that somebody has asked to migrate. One that nobody asked about has no record. */
export const StoredDatabase = v.variant("status", [
  v.object({ ...base, status: v.literal("settled") }),
  v.object({
    ...unsettled,
    status: v.literal("migrating"),
    /** Rounds in a row that an outage has ended. */
    outages: v.optional(v.number()),
    /** Who works on it, and until when nobody else does: that process has ended by then. Epoch seconds. */
    worker: v.optional(v.string()),
    busy_until: v.optional(v.number()),
  }),
  v.object({ ...unsettled, status: v.literal("failed"), error: v.string() }),
]);
export type StoredDatabase = v.InferOutput<typeof StoredDatabase>;
export type MigratingDatabase = Extract<StoredDatabase, { status: "migrating" }>;

export const databaseKey = (dbId: string) => ({ pk: `database#${dbId}`, sk: "database" });

/** @throws when the item is not a database of a shape that this code reads */
export const databaseFrom = (item: Item): StoredDatabase => v.parse(StoredDatabase, item);
