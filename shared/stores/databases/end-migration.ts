import type { Db } from "../db.ts";
import { changeMigration } from "./change-migration.ts";
import { type ClaimedMigration, claimedBy } from "./claim-migration.ts";

export type Settled =
  | { readonly settled: true }
  /** Somebody has set another target meanwhile; undefined when the migration is no longer ours. */
  | { readonly settled: false; readonly goesOn: ClaimedMigration | undefined };

/** Writes down that a database is at the version that was asked for. @param now epoch seconds */
export async function endMigration(
  db: Db,
  { db_id, worker, target_version }: ClaimedMigration,
  now: number,
): Promise<Settled> {
  const ended = await changeMigration(db, db_id, {
    UpdateExpression:
      "SET #status = :settled, version = :target, updated_at = :now REMOVE #position, worker, busy_until, outages",
    ConditionExpression: "worker = :worker AND target_version = :target",
    ExpressionAttributeNames: { "#status": "status", "#position": "position" },
    ExpressionAttributeValues: {
      ":settled": "settled",
      ":target": target_version,
      ":now": now,
      ":worker": worker,
    },
  });
  if (ended.changed) return { settled: true };
  return { settled: false, goesOn: ended.seen && claimedBy(worker, ended.seen) };
}
