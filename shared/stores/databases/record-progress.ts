import type { MigrationPosition } from "../../schemas/databases/migration-position.ts";
import type { Db } from "../db.ts";
import { type ClaimedMigration, claimedBy, migrationWork } from "./migration-work.ts";

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
