import type { Db } from "../db.ts";
import { changeMigration } from "./change-migration.ts";
import type { ClaimedMigration } from "./claim-migration.ts";

/** Releases a migration so that another process can continue it. */
export async function releaseMigration(db: Db, { db_id, worker }: ClaimedMigration): Promise<void> {
  await changeMigration(db, db_id, {
    UpdateExpression: "REMOVE worker, busy_until, outages",
    ConditionExpression: "worker = :worker",
    ExpressionAttributeValues: { ":worker": worker },
  });
}

/** The same after an outage, which counts although there was progress before it. @param now epoch seconds */
export async function releaseAfterOutage(
  db: Db,
  { db_id, worker }: ClaimedMigration,
  now: number,
): Promise<void> {
  await changeMigration(db, db_id, {
    UpdateExpression:
      "SET updated_at = :now, outages = if_not_exists(outages, :one) REMOVE worker, busy_until",
    ConditionExpression: "worker = :worker",
    ExpressionAttributeValues: { ":worker": worker, ":now": now, ":one": 1 },
  });
}
