import { ifAbsent } from "../../data/writes.ts";
import type { Db } from "../db.ts";
import { changeMigration } from "./change-migration.ts";
import type { ClaimedMigration } from "./claim-migration.ts";

/** Releases a migration so that another process can continue it. */
export async function releaseMigration(db: Db, { db_id, worker }: ClaimedMigration): Promise<void> {
  await changeMigration(db, db_id, { remove: ["worker", "busy_until", "outages"], guard: { worker } });
}

/** The same after an outage, which counts although there was progress before it. @param now epoch seconds */
export async function releaseAfterOutage(
  db: Db,
  { db_id, worker }: ClaimedMigration,
  now: number,
): Promise<void> {
  await changeMigration(db, db_id, {
    set: { updated_at: now, outages: ifAbsent(1) },
    remove: ["worker", "busy_until"],
    guard: { worker },
  });
}
