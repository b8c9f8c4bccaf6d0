import * as v from "valibot";
import { meaning } from "../values/described-as.ts";

/** The current or last migration of a database. Instants are epoch seconds. */
export const DatabaseMigration = v.object({
  status: v.picklist(["running", "completed", "failed"]),
  target_version: v.string(),
  /** Its position: which migration, in which direction, at which table. */
  at: v.optional(v.string()),
  records_read: v.number(),
  records_changed: v.number(),
  started_at: v.number(),
  updated_at: v.number(),
  /** Why it stopped; another request resumes it from there. */
  error: v.optional(v.string()),
});
export type DatabaseMigration = v.InferOutput<typeof DatabaseMigration>;

/** @decided ours: the wire takes versions of databases but shows them nowhere */
export const Database = v.object({
  db_id: v.string(),
  /** The version of every record; during a migration some are one version further. */
  version: v.string(),
  latest_version: v.string(),
  /** The versions that it can be migrated to. */
  versions: v.array(v.string()),
  /** Absent until the first one is requested. */
  migration: v.optional(DatabaseMigration),
});
export type Database = v.InferOutput<typeof Database>;

/** The target version; the newest when absent. The query takes precedence over the body. */
export const MigrationTarget = v.object({
  target_version: meaning(v.nullish(v.string()), "The version to migrate to; the newest without it"),
});

/** `database` is ours. */
export const MigratedDatabase = v.object({ message: v.string(), database: Database });

/** `databases` is ours. */
export const MigratedDatabases = v.object({
  message: v.string(),
  databases: v.array(Database),
  /** The reason, by the database's id. */
  failed: v.optional(v.record(v.string(), v.string())),
});
