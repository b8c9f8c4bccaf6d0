import { absentOr, anyOf, below } from "../../data/guard.ts";
import type { Db } from "../db.ts";
import { changeMigration } from "./change-migration.ts";
import type { MigratingDatabase } from "./database-item.ts";

/** A migration that one process works on. */
export type ClaimedMigration = MigratingDatabase & { readonly worker: string };

/**
 * Claims a migration for one process. No other gets it before that process must have ended: otherwise records that it
 * still writes after the migration was reversed would stay changed.
 *
 * @param now    epoch seconds
 * @param until  epoch seconds at which the process must have ended
 * @returns      undefined when there is nothing to do, or another process has it
 */
export async function claimMigration(
  db: Db,
  dbId: string,
  worker: string,
  now: number,
  until: number,
): Promise<ClaimedMigration | undefined> {
  const claimed = await changeMigration(db, dbId, {
    set: { worker, busy_until: until },
    // Counted at the claim, so that a process that dies without a word is counted too; progress resets it.
    add: { outages: 1 },
    guard: [{ status: "migrating" }, anyOf({ busy_until: absentOr(below(now)) }, { worker })],
  });
  return claimed.changed ? claimedBy(worker, claimed.database) : undefined;
}

/** The same migration, read later by its worker; undefined when another has it by now, or it has ended. */
export function claimedBy(
  worker: string,
  database: Parameters<typeof isMigrating>[0],
): ClaimedMigration | undefined {
  return isMigrating(database) && database.worker === worker ? { ...database, worker } : undefined;
}

const isMigrating = (
  database: { readonly status: string } | MigratingDatabase | undefined,
): database is MigratingDatabase => database?.status === "migrating";
