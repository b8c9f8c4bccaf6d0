import { DB_ID } from "../../domain/databases/database.ts";
import { defineWork } from "../../work/define-work.ts";
import type { DueRow } from "../../work/due.ts";
import { databaseFrom, databaseKey, type MigratingDatabase, type StoredDatabase } from "./database-item.ts";
import { getDatabase } from "./get-database.ts";

/** A message that is younger than this may simply not have arrived. */
const SETTLING_SECONDS = 60;

/** Databases are so few that each is read. */
export const dueMigrations = (ids: readonly string[]): DueRow<string> => ({
  attributes: () => ({}),
  list: async (db, now) => {
    const stored = await Promise.all(ids.map((id) => getDatabase(db, id)));
    return stored.flatMap((database) =>
      database && isLeft(database, now) ? [{ row: { db_id: database.db_id }, dueAt: now }] : [],
    );
  },
});

const isLeft = (database: StoredDatabase, now: number): boolean =>
  database.status === "migrating" &&
  (database.busy_until ?? 0) < now &&
  database.updated_at <= now - SETTLING_SECONDS;

/**
 * A migration. It is leased until its process must have ended, and not renewed: otherwise records that the process still
 * writes after the migration was reversed would stay changed.
 */
export const migrationWork = defineWork({
  kind: "migration",
  table: "databases",
  keyOf: databaseKey,
  read: databaseFrom,
  open: { status: "migrating" },
  // As long as a function lives at most.
  lease: { holder: "worker", time: "busy_until", seconds: 900, renewals: 0, settlingSeconds: 0 },
  retry: {
    stalls: "outages",
    stallsOf: (database) => (database.status === "migrating" ? (database.outages ?? 0) : 0),
    most: 10,
    delaySeconds: () => 30,
  },
  due: dueMigrations([DB_ID]),
  message: ({ db_id }) => ({ db_id: String(db_id) }),
});

/** A migration that one process works on. */
export type ClaimedMigration = MigratingDatabase & { readonly worker: string };

/** A migration as its worker reads it; undefined when another has it by now, or it has ended. */
export const claimedBy = (
  worker: string,
  database: StoredDatabase | undefined,
): ClaimedMigration | undefined =>
  database?.status === "migrating" && database.worker === worker ? { ...database, worker } : undefined;
