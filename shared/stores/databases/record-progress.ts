import type { MigrationPosition } from "../../schemas/databases/migration-position.ts";
import type { Db } from "../db.ts";
import { changeMigration } from "./change-migration.ts";
import { type ClaimedMigration, claimedBy } from "./claim-migration.ts";

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
  const recorded = await changeMigration(db, db_id, {
    set: { version, position, updated_at: now },
    add: { records_read: read, records_changed: changed },
    remove: ["outages"],
    guard: { worker },
  });
  return recorded.changed ? claimedBy(worker, recorded.database) : undefined;
}
