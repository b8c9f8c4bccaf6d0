import type { Db } from "../db.ts";
import { type ClaimedMigration, claimedBy, migrationWork } from "./migration-work.ts";

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
