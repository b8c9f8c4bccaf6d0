import { afterAll, beforeAll, expect, test } from "vitest";
import { type HousekeeperDeps, processMessages } from "../../functions/housekeeper/process-messages.ts";
import { databases } from "../../shared/migrations/databases.ts";
import { queueWorld } from "../support/queue-world.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const LIFE_MS = 900_000;
const batchOf = (...bodies: readonly (object | string)[]) =>
  bodies.map((body, i) => ({
    messageId: String(i + 1),
    body: typeof body === "string" ? body : JSON.stringify(body),
  }));

/** @param onCall  called before each call of the database, with its table */
function housekeeper(onCall: (table: string | undefined) => Promise<void> = async () => {}) {
  const world = queueWorld(stores.db);
  const client = new Proxy(stores.db.client, {
    get: (target, name) =>
      name === "send"
        ? async (command: { input: { TableName?: string } }) => {
            await onCall(command.input.TableName);
            return target.send(command as never);
          }
        : Reflect.get(target, name),
  });
  const deps: HousekeeperDeps = {
    ...world,
    db: { ...stores.db, client },
    databases,
    migrations: { send: async () => {} },
    removals: { send: async () => {} },
    userRemovals: { send: async () => {} },
    bases: [],
    removeObjectsOf: async () => {},
    settings: { ...world.settings, MIGRATION_UNITS_PER_SECOND: 1_000 },
  };
  return (...bodies: readonly (object | string)[]) => processMessages(deps, batchOf(...bodies), LIFE_MS);
}

const removal = { session_id: "session-1", round: 0 };
const migration = { db_id: "main" };

test("only the messages that failed come back: of a store that refuses, and those of no kind", async () => {
  const process = housekeeper(async (table) => {
    if (table === stores.db.tables.sessions) throw new Error("refused");
  });
  const { batchItemFailures } = await process(
    { check: "locks" },
    removal,
    "no message",
    { job_id: "job-1", user_id: "maria" },
    { other: 1 },
    migration,
  );
  expect(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier).toSorted()).toEqual(["2", "3", "5"]);
});

test("a migration holds up neither a removal nor a check of the locks that came with it", async () => {
  const seen = { sessions: Promise.withResolvers<void>(), jobs: Promise.withResolvers<void>() };
  const process = housekeeper(async (table) => {
    if (table === stores.db.tables.sessions) seen.sessions.resolve();
    if (table === stores.db.tables.jobs) seen.jobs.resolve();
    // Were the migration taken first, and the others after it, this would never end.
    if (table === stores.db.tables.databases) await Promise.all([seen.sessions.promise, seen.jobs.promise]);
  });
  expect(await process(migration, removal, { check: "locks" })).toEqual({ batchItemFailures: [] });
});
