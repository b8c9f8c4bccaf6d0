import { ifAbsent, isNew, updateItem, write, writeAndRead } from "../../data/index.ts";
import { DB_ID } from "../../domain/databases/database.ts";
import type { MigrationPosition } from "../../schemas/databases/migration-position.ts";
import { type DueRow, defineWork } from "../../work/index.ts";
import type { Db } from "../db.ts";
import { databaseFrom, getDatabase, type MigratingDatabase, type StoredDatabase } from "./database-item.ts";
import { DATABASE_SHAPE, databaseKey, newDatabase } from "./new-database.ts";

/** A message that is younger than this may simply not have arrived. */
const SETTLING_SECONDS = 60;

/** Databases are so few that each is read. */
export const dueMigrations = (ids: readonly string[]): DueRow<string> => ({
  attributes: () => ({}),
  list: async (db, now) => {
    const stored = await Promise.all(ids.map((id) => getDatabase(db, id)));
    return stored.flatMap((database) =>
      database && isLeft(database, now)
        ? [{ row: { db_id: database.db_id }, dueAt: database.updated_at }]
        : [],
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

/**
 * Records that a database is to be migrated to a version: from then on the request survives every crash. A migration
 * under way gets the new target with its next round; a failed one continues.
 *
 * @param from  version of a database that has no record yet
 * @param now   epoch seconds
 */
export async function requestMigration(
  db: Db,
  dbId: string,
  { from, target, now }: { readonly from: number; readonly target: number; readonly now: number },
): Promise<StoredDatabase> {
  const requested = await writeAndRead(
    db,
    updateItem("databases", databaseKey(dbId), {
      set: {
        status: "migrating",
        target_version: target,
        version: ifAbsent(from),
        db_id: dbId,
        shape: DATABASE_SHAPE,
        records_read: 0,
        records_changed: 0,
        started_at: now,
        updated_at: now,
      },
      remove: ["error", "outages"],
    }),
  );
  if (!requested.written) throw new Error("an update without a guard was refused");
  return databaseFrom(requested.item);
}

/**
 * Records that a database without records is at a version.
 *
 * @param now  epoch seconds
 * @returns    false when it has got a record meanwhile, which stays
 */
export async function recordNewDatabase(
  db: Db,
  dbId: string,
  version: number,
  now: number,
): Promise<boolean> {
  const set = newDatabase(dbId, version, now);
  const recorded = await write(db, updateItem("databases", databaseKey(dbId), { set, guard: isNew }));
  return recorded.written;
}

/** The result of one round. */
export type RoundDone = {
  readonly version: number;
  readonly position: MigrationPosition;
  readonly read: number;
  readonly changed: number;
};

/** Records where a migration resumes. @param now epoch seconds @returns undefined when another process has it */
export async function recordProgress(
  db: Db,
  { db_id, worker }: ClaimedMigration,
  { version, position, read, changed }: RoundDone,
  now: number,
): Promise<ClaimedMigration | undefined> {
  const recorded = await migrationWork.write(db, db_id, worker, {
    set: { version, position, updated_at: now, outages: undefined },
    add: { records_read: read, records_changed: changed },
  });
  return recorded.changed ? claimedBy(worker, recorded.record) : undefined;
}

export type Settled =
  | { readonly settled: true }
  /** The target has changed; undefined when another process has the migration. */
  | { readonly settled: false; readonly goesOn: ClaimedMigration | undefined };

/** Records that a database is at the requested version. @param now epoch seconds */
export async function endMigration(
  db: Db,
  { db_id, worker, target_version }: ClaimedMigration,
  now: number,
): Promise<Settled> {
  const set = {
    status: "settled" as const,
    version: target_version,
    updated_at: now,
    position: undefined,
    outages: undefined,
  };
  const ended = await migrationWork.release(db, db_id, worker, { set }, { target_version });
  if (ended.changed) return { settled: true };
  return { settled: false, goesOn: claimedBy(worker, ended.seen) };
}
