import type { Db } from "../db.ts";
import { changeMigration } from "./change-migration.ts";
import { type ClaimedMigration, claimedBy } from "./claim-migration.ts";

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
  const ended = await changeMigration(db, db_id, {
    set: { status: "settled", version: target_version, updated_at: now },
    remove: ["position", "worker", "busy_until", "outages"],
    guard: { worker, target_version },
  });
  if (ended.changed) return { settled: true };
  return { settled: false, goesOn: ended.seen && claimedBy(worker, ended.seen) };
}
