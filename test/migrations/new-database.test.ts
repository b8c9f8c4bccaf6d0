import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { wireDatabase } from "../../functions/databases/wire-database.ts";
import { migrateRound } from "../../functions/housekeeper/migrations/migrate-round.ts";
import type { MigrationPosition } from "../../shared/schemas/databases/migration-position.ts";
import { migrationWorld, recordsOf } from "../support/migration-world.ts";
import { putItems } from "../support/put-items.ts";
import { startStores, type TestStores } from "../support/stores.ts";
import { day, dropNames, person, splitNames } from "./people.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const twoReleases = [splitNames, dropNames];
const left = [
  ["sessions", person(0)],
  ["budgets", day(0)],
] as const;
afterEach(async () => {
  for (const [table, { pk, sk }] of left)
    await stores.db.client.send(new DeleteCommand({ TableName: stores.db.tables[table], Key: { pk, sk } }));
});

/** A deployment is made, whose last step sends the name of the database. */
async function deployed() {
  const world = migrationWorld(stores.db, twoReleases);
  await world.deliver();
  return world;
}
const shown = async (world: ReturnType<typeof migrationWorld>) =>
  wireDatabase(world.database, await world.state());

test("a database without records is of the newest version, and can be migrated down and up", async () => {
  const world = await deployed();
  expect(await shown(world)).toMatchObject({ version: "3", latest_version: "3" });
  const before = await world.state();
  await world.deliver();
  expect(await world.state()).toEqual(before);
  await world.ask(1);
  await world.deliverAll();
  expect(await shown(world)).toMatchObject({ version: "1" });
});

test.each(left)("what an earlier deployment has left in %s keeps its version", async (table, record) => {
  await putItems(stores.db, table, [record]);
  const world = await deployed();
  expect(await shown(world)).toMatchObject({ version: "1", latest_version: "3" });
  expect(await world.state()).toBeUndefined();
  await world.ask(3);
  await world.deliverAll();
  expect(await shown(world)).toMatchObject({ version: "3" });
});

test("a migration that was asked for is what counts", async () => {
  const world = migrationWorld(stores.db, twoReleases);
  await world.ask(2);
  await world.deliverAll();
  await world.deliver();
  expect(await shown(world)).toMatchObject({ version: "2" });
});

test("no record is left out where the one at which a page ended is deleted before the next is read", async () => {
  const { db } = stores;
  const people = Array.from({ length: 260 }, (_, n) => person(n));
  await putItems(db, "evals", people);
  const step = { ...(splitNames.steps[0] as (typeof splitNames.steps)[number]), table: "evals" } as const;
  const gone = new Set<string>();
  let position: MigrationPosition = { version: 2, direction: "up", step: 0, segments: ["begin"] };
  for (let rounds = 0; position.segments.some((cursor) => cursor !== "done"); rounds += 1) {
    ({ position } = await migrateRound(db, step, position));
    expect(rounds).toBeLessThan(20);
    for (const cursor of position.segments) {
      if (typeof cursor === "string" || gone.size > 1) continue;
      gone.add(cursor.pk);
      await db.client.send(new DeleteCommand({ TableName: db.tables.evals, Key: cursor }));
    }
  }
  expect(gone.size).toBe(2);
  const left = (await recordsOf(db, "evals")).filter(({ sk }) => sk === "person");
  expect(left).toHaveLength(people.length - gone.size);
  expect(left.filter(({ given }) => given === undefined)).toEqual([]);
});
