import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { startMigration } from "../../functions/databases/start-migration.ts";
import { type MigratorDeps, migrateSlice } from "../../functions/housekeeper/migrations/migrate-slice.ts";
import type { Item } from "../../shared/data/item.ts";
import type { Migration } from "../../shared/migrations/migration.ts";
import type { TableName } from "../../shared/settings/table-env.ts";
import { getDatabase } from "../../shared/stores/databases/database-item.ts";
import { dueMigrations, migrationWork } from "../../shared/stores/databases/migration-work.ts";
import type { Db } from "../../shared/stores/db.ts";
import { wakeUps } from "../../shared/work/wake-ups.ts";
import { T0 } from "./records.ts";

const LIFE_MS = 120_000;
let worlds = 0;

/** API function, queue, migrator and sweeper of one database, with deliveries in the test's hand. A sleep passes at once. */
export function migrationWorld(db: Db, migrations: readonly Migration[], unitsPerSecond = 1_000_000) {
  worlds += 1;
  const database = { id: `database-${worlds}`, migrations };
  let now = T0 * 1000;
  let slept = 0;
  let workers = 0;
  const sent: string[] = [];
  const errors: string[] = [];
  const deps = {
    db,
    databases: [database],
    migrations: {
      send: async ({ db_id }: { db_id: string }) => {
        sent.push(db_id);
      },
    },
    clock: {
      now: () => now,
      sleep: async (ms: number) => {
        slept += ms;
        now += ms;
      },
    },
    log: { info: () => {}, warn: () => {}, error: (text: string) => void errors.push(text) },
    newWorkerId: () => {
      workers += 1;
      return `worker-${workers}`;
    },
    settings: { MIGRATION_UNITS_PER_SECOND: unitsPerSecond },
  } satisfies MigratorDeps;
  const deliver = (over: Partial<MigratorDeps> = {}, lifeMs = LIFE_MS) =>
    migrateSlice({ ...deps, ...over }, database.id, lifeMs);
  return {
    ...deps,
    database,
    sent,
    errors,
    deliver,
    slept: () => slept,
    advance: (ms: number) => {
      now += ms;
    },
    state: () => getDatabase(db, database.id),
    /** Asks as the route does; no process works on it meanwhile. */
    ask: (target: number) => startMigration(deps, database, target),
    sweep: () =>
      wakeUps({ ...migrationWork, due: dueMigrations([database.id]) }).sweep(
        db,
        deps.migrations,
        Math.floor(now / 1000),
      ),
    /** Delivers what was sent, until nothing is left. */
    async deliverAll(): Promise<number> {
      let delivered = 0;
      for (let next = sent.shift(); next !== undefined; next = sent.shift()) {
        await deliver();
        delivered += 1;
      }
      return delivered;
    },
  };
}

export type MigrationWorld = ReturnType<typeof migrationWorld>;

/** Every record of a small table, in the order of its keys. */
export async function recordsOf(db: Db, table: TableName): Promise<Item[]> {
  const { Items = [] } = await db.client.send(
    new ScanCommand({ TableName: db.tables[table], ConsistentRead: true }),
  );
  return Items.sort((a, b) => (`${a.pk} ${a.sk}` < `${b.pk} ${b.sk}` ? -1 : 1));
}
