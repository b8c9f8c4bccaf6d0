import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { wireDatabase } from "../../functions/databases/wire-database.ts";
import { migrationWorld } from "../support/migration-world.ts";
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
