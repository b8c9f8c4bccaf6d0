import type { Db } from "../db.ts";
import { changeMigration } from "./change-migration.ts";
import type { ClaimedMigration } from "./claim-migration.ts";

/** Stops a migration where it is until it is requested again. @param error public to everybody who may request one */
export async function failMigration(
  db: Db,
  { db_id, worker }: ClaimedMigration,
  error: string,
  now: number,
): Promise<void> {
  await changeMigration(db, db_id, {
    set: { status: "failed", error, updated_at: now },
    remove: ["worker", "busy_until", "outages"],
    guard: { worker },
  });
}
