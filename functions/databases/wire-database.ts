import { FIRST_VERSION } from "../../shared/domain/databases/plan-migration.ts";
import { latestVersionOf, type MigratableDatabase, versionsOf } from "../../shared/migrations/databases.ts";
import type { Database, DatabaseMigration } from "../../shared/schemas/databases/database.ts";
import type { StoredDatabase } from "../../shared/stores/databases/index.ts";

/** A database as the wire shows it. @param stored undefined for one that was never migrated */
export function wireDatabase(database: MigratableDatabase, stored: StoredDatabase | undefined): Database {
  return {
    db_id: database.id,
    version: String(stored?.version ?? FIRST_VERSION),
    latest_version: String(latestVersionOf(database)),
    versions: versionsOf(database).map(String),
    ...(stored && { migration: wireMigration(database, stored) }),
  };
}

const statusOf = { settled: "completed", migrating: "running", failed: "failed" } as const;

function wireMigration(database: MigratableDatabase, stored: StoredDatabase): DatabaseMigration {
  const { target_version, records_read, records_changed, started_at, updated_at, status } = stored;
  const at = stored.status === "settled" ? undefined : placeOf(database, stored.position);
  return {
    status: statusOf[status],
    target_version: String(target_version),
    ...(at !== undefined && { at }),
    records_read,
    records_changed,
    started_at,
    updated_at,
    ...(stored.status === "failed" && { error: stored.error }),
  };
}

type Position = Exclude<StoredDatabase, { status: "settled" }>["position"];

/** `say-shapes up, step 2 of 4` */
function placeOf({ migrations }: MigratableDatabase, position: Position): string | undefined {
  const migration = position && migrations.find(({ version }) => version === position.version);
  if (!migration) return undefined;
  return `${migration.name} ${position.direction}, step ${position.step + 1} of ${migration.steps.length}`;
}
