import { FIRST_VERSION } from "../../shared/domain/databases/plan-migration.ts";
import type { MigrationDeps } from "../../shared/migrations/connect-migrations.ts";
import type { MigratableDatabase } from "../../shared/migrations/databases.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import {
  getDatabase,
  migrationWork,
  requestMigration,
  type StoredDatabase,
} from "../../shared/stores/databases/index.ts";

/** How long a request waits for a migration, far less than the HTTP API waits for the request. */
const MAX_WAIT_MS = 8_000;
const POLL_MS = 250;

/**
 * Has a database brought to a version, and waits a moment for it. The request itself reads no table: it writes a
 * record, and a function of its own migrates, so that the size of the database does not matter.
 *
 *   request ─▶ record: migrating ─▶ message ─▶ housekeeper … ─▶ record: settled
 *      └──────────── polls the record for a few seconds ───────────┘
 *
 * @returns its state by then; undefined where it was never migrated and nothing is to be done
 */
export async function startMigration(
  deps: MigrationDeps,
  { id }: MigratableDatabase,
  target: number,
): Promise<StoredDatabase | undefined> {
  const { db, clock } = deps;
  const present = await getDatabase(db, id);
  if (isAt(present, target)) return present;
  if (present?.status !== "migrating" || present.target_version !== target) {
    await requestMigration(db, id, { from: FIRST_VERSION, target, now: epochSeconds(clock) });
  }
  // A message that cannot be sent is sent by the sweeper: the requested version is on record.
  await migrationWork.wake({ queue: deps.migrations, log: deps.log }, { db_id: id });
  for (const until = clock.now() + MAX_WAIT_MS; ; await clock.sleep(POLL_MS)) {
    const database = await getDatabase(db, id);
    if (database?.status !== "migrating" || clock.now() >= until) return database;
  }
}

function isAt(database: StoredDatabase | undefined, target: number): boolean {
  if (!database) return target === FIRST_VERSION;
  return database.status === "settled" && database.version === target;
}
