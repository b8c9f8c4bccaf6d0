import { type MigrationPlan, planMigration } from "../../../shared/domain/databases/plan-migration.ts";
import { isOutage } from "../../../shared/http/is-outage.ts";
import type { MigrationDeps } from "../../../shared/migrations/connect-migrations.ts";
import { latestVersionOf, type MigratableDatabase, tablesOf } from "../../../shared/migrations/databases.ts";
import type { MigrationStep } from "../../../shared/migrations/migration.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import type { Meter } from "../../../shared/runtime/metrics/meter.ts";
import type { MigrationPosition } from "../../../shared/schemas/databases/migration-position.ts";
import type { TableName } from "../../../shared/settings/table-env.ts";
import {
  type ClaimedMigration,
  claimedBy,
  endMigration,
  getDatabase,
  migrationWork,
  recordNewDatabase,
  recordProgress,
  scanSegment,
} from "../../../shared/stores/databases/index.ts";
import type { Db } from "../../../shared/stores/db.ts";
import { runWork } from "../../../shared/work/index.ts";
import { migrateRound } from "./migrate-round.ts";

export type MigratorDeps = MigrationDeps & {
  readonly newWorkerId: () => string;
  readonly meter?: Meter;
  readonly settings: { readonly MIGRATION_UNITS_PER_SECOND: number };
};

/** Time reserved at the end of the function's life to finish the round that is under way. */
const LAST_ROUND_MS = 20_000;

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
  const { databases, clock, log } = deps;
  const database = databases.find(({ id }) => id === dbId);
  if (!database) return log.error("a message names an unknown database", { db_id: dbId });
  const slice = { deps, database, until: clock.now() + remainingMs - LAST_ROUND_MS };
  await runWork(
    migrationWork,
    deps,
    dbId,
    {
      idle: () => settleIfNew(deps, database),
      exhausted: ({ worker }) => fail(deps, { db_id: dbId, worker }, ENDED),
      work: ({ record, worker }) => runRounds(slice, claimedBy(worker, record)),
      failed: ({ worker }, error) => stopAt(slice, { db_id: dbId, worker }, error),
    },
    { claim: { seconds: Math.ceil(remainingMs / 1000) } },
  );
}

type Slice = {
  readonly deps: MigratorDeps;
  readonly database: MigratableDatabase;
  /** Epoch milliseconds. */
  readonly until: number;
};

async function runRounds(slice: Slice, claimed: ClaimedMigration | undefined): Promise<void> {
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

type Held = Pick<ClaimedMigration, "db_id" | "worker">;

async function suspend(deps: MigratorDeps, { db_id, worker }: Held): Promise<void> {
  await migrationWork.release(deps.db, db_id, worker, { set: { outages: undefined } });
  await wake(deps, db_id);
}

const wake = ({ migrations: queue, log }: MigratorDeps, db_id: string, delaySeconds = 0): Promise<void> =>
  migrationWork.wake({ queue, log }, { db_id }, delaySeconds);

/** Stops a migration where it is until it is requested again. @param error public to everybody who may request one */
async function fail({ db, clock }: MigratorDeps, { db_id, worker }: Held, error: string): Promise<void> {
  const updated_at = epochSeconds(clock);
  await migrationWork.release(db, db_id, worker, {
    set: { status: "failed", error, updated_at, outages: undefined },
  });
}

/** An outage passes, and the migration continues after it; anything else is a defect, which a person has to see. */
async function stopAt({ deps }: Slice, held: Held, error: unknown): Promise<void> {
  const { db, clock, log } = deps;
  const { db_id, worker } = held;
  const migration = claimedBy(worker, await getDatabase(db, db_id));
  if (!migration) return log.warn("a migration lost its lock; another worker continues it", { db_id, error });
  log.error("a migration stopped", { db_id, error });
  if (!isOutage(error)) return fail(deps, held, A_DEFECT);
  // An outage counts although there was progress before it.
  const { outages = 1 } = migration;
  if (outages >= migrationWork.retry.most) return fail(deps, held, AN_OUTAGE);
  await migrationWork.release(db, db_id, worker, { set: { outages, updated_at: epochSeconds(clock) } });
  await wake(deps, db_id, migrationWork.retryDelay(outages));
}

const A_DEFECT =
  "A record could not be migrated; the log of the housekeeper says why. What was done stays done: ask again to go on.";
const ENDED =
  "The housekeeper ended again and again without coming any further. What was done stays done: ask again to go on.";
const AN_OUTAGE =
  "The store refused or did not answer, again and again. What was done stays done: ask again to go on.";

/**
 * Records that a database is of the newest version, where no migration of it was asked for and it has nothing to
 * migrate. A deployment that is new may be given tables that an earlier one has left: one record in any of them, and the
 * database stays what it is.
 */
async function settleIfNew(
  { db, clock, log }: Pick<MigrationDeps, "db" | "clock" | "log">,
  database: MigratableDatabase,
): Promise<void> {
  if (await getDatabase(db, database.id)) return;
  const empty = await Promise.all(tablesOf(database).map((table) => isEmpty(db, table)));
  if (empty.includes(false)) return;
  const version = latestVersionOf(database);
  const recorded = await recordNewDatabase(db, database.id, version, epochSeconds(clock));
  if (recorded) log.info("a new database is of the newest version", { db_id: database.id, version });
}

/** One record is read, strongly consistent. A page without records that is not the last one proves nothing. */
async function isEmpty(db: Db, table: TableName): Promise<boolean> {
  const { records, cursor } = await scanSegment(db, { table, number: 0, of: 1, cursor: "begin" }, 1);
  return records.length === 0 && cursor === "done";
}
