import { type MigrationPlan, planMigration } from "../../shared/domain/databases/plan-migration.ts";
import { isOutage } from "../../shared/http/is-outage.ts";
import type { MigrationDeps } from "../../shared/migrations/connect-migrations.ts";
import type { MigratableDatabase } from "../../shared/migrations/databases.ts";
import type { MigrationStep } from "../../shared/migrations/migration.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { MigrationPosition } from "../../shared/schemas/databases/migration-position.ts";
import {
  type ClaimedMigration,
  claimedBy,
  claimMigration,
} from "../../shared/stores/databases/claim-migration.ts";
import { endMigration } from "../../shared/stores/databases/end-migration.ts";
import { failMigration } from "../../shared/stores/databases/fail-migration.ts";
import { getDatabase } from "../../shared/stores/databases/get-database.ts";
import { recordProgress } from "../../shared/stores/databases/record-progress.ts";
import { releaseAfterOutage, releaseMigration } from "../../shared/stores/databases/release-migration.ts";
import { migrateRound } from "./migrate-round.ts";

export type MigratorDeps = MigrationDeps & {
  readonly newWorkerId: () => string;
  readonly settings: { readonly MIGRATION_UNITS_PER_SECOND: number };
};

/** Time reserved at the end of the function's life to finish the round that is under way. */
const LAST_ROUND_MS = 20_000;
/** Claims in a row that an outage, or the end of their process, may end before a person should look. */
const MAX_OUTAGES = 10;
const AFTER_OUTAGE_SECONDS = 30;

/**
 * Continues the migration of a database, as far as one function's life reaches. It may be called at any time and by any
 * process: one process works on a database, and each round begins where the record says.
 *
 *   record: migrating ──claim──▶ page, page, page ──▶ record: next position ──▶ … ──▶ record: settled
 *                                     │ died: once the lock has expired, the same pages again
 *                                     └ out of time: lock released, next message
 *
 * @param remainingMs  how long this process will live
 */
export async function migrateSlice(deps: MigratorDeps, dbId: string, remainingMs: number): Promise<void> {
  const { db, databases, clock, log, newWorkerId } = deps;
  const database = databases.find(({ id }) => id === dbId);
  if (!database) return log.error("a message names a database that is not here", { db_id: dbId });
  const now = epochSeconds(clock);
  const claimed = await claimMigration(db, dbId, newWorkerId(), now, now + Math.ceil(remainingMs / 1000));
  if (!claimed) return;
  if ((claimed.outages ?? 0) > MAX_OUTAGES) return failMigration(db, claimed, ENDED, now);
  const slice = { deps, database, until: clock.now() + remainingMs - LAST_ROUND_MS };
  try {
    await runRounds(slice, claimed);
  } catch (error) {
    await stopAt(slice, claimed, error);
  }
}

type Slice = {
  readonly deps: MigratorDeps;
  readonly database: MigratableDatabase;
  /** Epoch milliseconds. */
  readonly until: number;
};

async function runRounds(slice: Slice, claimed: ClaimedMigration): Promise<void> {
  const { deps, database, until } = slice;
  for (let migration: ClaimedMigration | undefined = claimed; migration; ) {
    const plan = planMigration(
      migration,
      migration.target_version,
      (version) => stepsOf(database, version).length,
    );
    if (plan.done) {
      const settled = await endMigration(deps.db, migration, epochSeconds(deps.clock));
      migration = settled.settled ? undefined : settled.goesOn;
    } else if (deps.clock.now() >= until) {
      return suspend(deps, migration);
    } else {
      migration = await doRound(slice, migration, plan);
    }
  }
}

async function doRound(
  { deps, database, until }: Slice,
  migration: ClaimedMigration,
  { version, position }: Extract<MigrationPlan, { done: false }>,
): Promise<ClaimedMigration | undefined> {
  const { db, clock, settings } = deps;
  const startedAt = clock.now();
  const step = stepAt(database, position);
  // The position is written before the first record is changed: a change of direction must start from it.
  if (!isSame(migration.position, position)) {
    const started = { version, position, read: 0, changed: 0 };
    return recordProgress(db, migration, started, epochSeconds(clock));
  }
  const round = await migrateRound(db, step, position);
  const recorded = await recordProgress(db, migration, { version, ...round }, epochSeconds(clock));
  const dueMs = startedAt + (round.units / settings.MIGRATION_UNITS_PER_SECOND) * 1000;
  const waitMs = Math.min(dueMs, until) - clock.now();
  if (recorded && waitMs > 0) await clock.sleep(waitMs);
  return recorded;
}

const isSame = (a: MigrationPosition | undefined, b: MigrationPosition): boolean =>
  a?.version === b.version && a.direction === b.direction && a.step === b.step;

const stepsOf = ({ migrations }: MigratableDatabase, version: number): readonly MigrationStep[] =>
  migrations.find((migration) => migration.version === version)?.steps ?? [];

/** Down goes backwards through the steps that up made. */
function stepAt(
  database: MigratableDatabase,
  { version, direction, step }: MigrationPosition,
): MigrationStep {
  const steps = stepsOf(database, version);
  const found = direction === "up" ? steps[step] : steps[steps.length - 1 - step];
  if (!found) throw new Error(`migration ${version} has no step ${step}`);
  return found;
}

async function suspend({ db, migrations, log }: MigratorDeps, migration: ClaimedMigration): Promise<void> {
  await releaseMigration(db, migration);
  await migrations
    .send({ db_id: migration.db_id })
    .catch((error) => log.warn("a migration's message was not sent", { error: String(error) }));
}

/** An outage passes, and the migration continues after it; anything else is a defect, which a person has to see. */
async function stopAt({ deps }: Slice, { db_id, worker }: ClaimedMigration, error: unknown): Promise<void> {
  const { db, clock, log, migrations } = deps;
  log.error("a migration stopped", { db_id, error });
  const seen = await getDatabase(db, db_id);
  const migration = seen && claimedBy(worker, seen);
  if (!migration) return;
  const now = epochSeconds(clock);
  if (!isOutage(error)) return failMigration(db, migration, A_DEFECT, now);
  if ((migration.outages ?? 0) >= MAX_OUTAGES) return failMigration(db, migration, AN_OUTAGE, now);
  await releaseAfterOutage(db, migration, now);
  await migrations.send({ db_id }, AFTER_OUTAGE_SECONDS);
}

const A_DEFECT =
  "A record could not be migrated; the log of the migrator says why. What was done stays done: ask again to go on.";
const ENDED =
  "The migrator ended again and again without coming any further. What was done stays done: ask again to go on.";
const AN_OUTAGE =
  "The store refused or did not answer, again and again. What was done stays done: ask again to go on.";
