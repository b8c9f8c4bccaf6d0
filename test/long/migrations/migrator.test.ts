import { DeleteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Item } from "../../../shared/data/item.ts";
import type { Migration } from "../../../shared/migrations/migration.ts";
import {
  day,
  dropNames,
  greetingOfRelease1,
  greetingOfRelease2,
  person,
  splitNames,
} from "../../migrations/people.ts";
import { breakingDb } from "../../support/breaking-db.ts";
import { type MigrationWorld, migrationWorld, recordsOf } from "../../support/migration-world.ts";
import { putItems } from "../../support/put-items.ts";
import { startStores, type TestStores } from "../../support/stores.ts";

const PEOPLE = 4;
const DAYS = 1;
const people = Array.from({ length: PEOPLE }, (_, n) => person(n));
const days = Array.from({ length: DAYS }, (_, n) => day(n));
const other: Item = { pk: "session#s", sk: "session", name: "no person" };

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());
beforeEach(async () => {
  await putItems(stores.db, "sessions", [...people, other]);
  await putItems(stores.db, "budgets", days);
});

const persons = async () => (await recordsOf(stores.db, "sessions")).filter(({ sk }) => sk === "person");
const names = people.map(({ name }) => name).sort();
const namesNow = async (greeting: (record: Item) => string) => (await persons()).map(greeting).sort();
const twoReleases = [splitNames, dropNames];

/** Whether a process lives until it has done what it does. */
const ends = (process: Promise<unknown>): Promise<boolean> =>
  process.then(
    () => true,
    () => false,
  );

async function migrated(migrations: readonly Migration[], target: number): Promise<MigrationWorld> {
  const world = migrationWorld(stores.db, migrations);
  await world.ask(target);
  await world.deliverAll();
  return world;
}

describe("a migration", () => {
  test("changes every record that it is about and no other, and says how far it came", async () => {
    const world = await migrated([splitNames], 2);
    expect(await world.state()).toMatchObject({
      status: "settled",
      version: 2,
      records_changed: PEOPLE + DAYS,
    });
    expect((await persons())[0]).toEqual({ ...people[0], given: "Ada0", family: "Lovelace0" });
    expect(await recordsOf(stores.db, "sessions")).toContainEqual(other);
    expect((await recordsOf(stores.db, "budgets")).every(({ currency }) => currency === "USD")).toBe(true);
  });

  test("made twice changes nothing the second time", async () => {
    await migrated([splitNames], 2);
    const once = await persons();
    // Another record of the same tables knows nothing of the first time.
    const again = await migrated([splitNames], 2);
    expect(await again.state()).toMatchObject({ status: "settled", records_changed: 0 });
    expect(await persons()).toEqual(once);
  });

  test("goes through all versions up, and down again to what there was", async () => {
    const before = await recordsOf(stores.db, "sessions");
    const world = await migrated(twoReleases, 3);
    expect((await persons())[0]).not.toHaveProperty("name");
    await world.ask(1);
    await world.deliverAll();
    expect(await world.state()).toMatchObject({ status: "settled", version: 1 });
    expect(await recordsOf(stores.db, "sessions")).toEqual(before);
    expect(await recordsOf(stores.db, "budgets")).toEqual(days);
  });

  test("asked for once more when it is done sends nothing", async () => {
    const world = await migrated([splitNames], 2);
    expect(await world.ask(2)).toMatchObject({ status: "settled", version: 2 });
    expect(world.sent).toEqual([]);
  });
});

describe("readers during a migration", () => {
  /** Looks at all records after each single write that the migrator makes. */
  async function atEveryWrite(world: MigrationWorld, look: () => Promise<void>): Promise<void> {
    for (let write = 1; ; write += 1) {
      const process = breakingDb(stores.db, write, "after");
      const hasEnded = await ends(world.deliver({ db: process.db }));
      await look();
      if (hasEnded) return;
      world.advance(200_000);
    }
  }

  test("the release before reads every record at every moment, and so does the next one", async () => {
    const world = migrationWorld(stores.db, [splitNames]);
    await world.ask(2);
    await atEveryWrite(world, async () => {
      expect(await namesNow(greetingOfRelease1)).toEqual(names);
      expect(await namesNow(greetingOfRelease2)).toEqual(names);
    });
    expect(await world.state()).toMatchObject({ status: "settled", version: 2 });
  });

  test("the second release reads every record while the old field goes, and while it comes back", async () => {
    const world = await migrated(twoReleases, 2);
    for (const target of [3, 2]) {
      await world.ask(target);
      await atEveryWrite(world, async () => expect(await namesNow(greetingOfRelease2)).toEqual(names));
      expect(await world.state()).toMatchObject({ status: "settled", version: target });
    }
  });
});

describe("a migrator that dies", () => {
  const anyCall = /./;

  test.each(["before", "after"] as const)(
    "%s any of its calls is followed by one that ends what it began, and by none before",
    async (when) => {
      for (let call = 1; ; call += 1) {
        await putItems(stores.db, "sessions", people);
        await putItems(stores.db, "budgets", days);
        const world = migrationWorld(stores.db, twoReleases);
        await world.ask(3);
        const process = breakingDb(stores.db, call, when, anyCall);
        const hasEnded = await ends(world.deliver({ db: process.db }));
        const left = await world.state();
        if (left?.status === "migrating" && left.worker !== undefined) {
          await world.deliver();
          expect(await world.state()).toEqual(left);
        }
        world.advance(200_000);
        await world.deliver();
        expect(await world.state()).toMatchObject({ status: "settled", version: 3 });
        expect(await namesNow(greetingOfRelease2)).toEqual(names);
        expect((await persons()).some((record) => "name" in record)).toBe(false);
        if (!hasEnded) continue;
        expect(call).toBeGreaterThan(PEOPLE);
        break;
      }
    },
    300_000,
  );

  test("is found by the sweeper when its lock has expired, and not before", async () => {
    const world = migrationWorld(stores.db, [splitNames]);
    await world.ask(2);
    world.sent.length = 0;
    const process = breakingDb(stores.db, 5, "before");
    await expect(world.deliver({ db: process.db })).rejects.toThrow("dead");
    world.advance(100_000);
    expect(await world.sweep()).toBe(0);
    world.advance(30_000);
    expect(await world.sweep()).toBe(1);
    expect(await world.deliverAll()).toBe(1);
    expect(await world.state()).toMatchObject({ status: "settled", version: 2 });
    expect(await world.sweep()).toBe(0);
  });
});

describe("a migrator that dies every time, without a word", () => {
  test("is begun ten times, and then the migration fails visibly", async () => {
    const world = migrationWorld(stores.db, [splitNames]);
    await world.ask(2);
    for (let claims = 0; claims < 10; claims += 1) {
      // A takeover is two writes: one that finds a lease which is over, and one that takes it.
      await ends(world.deliver({ db: breakingDb(stores.db, claims === 0 ? 2 : 3, "before").db }));
      expect(await world.state()).toMatchObject({ status: "migrating" });
      world.advance(2_000_000);
    }
    await world.deliver();
    expect(await world.state()).toMatchObject({
      status: "failed",
      error: expect.stringContaining("ended again and again"),
    });
    await world.ask(2);
    await world.deliver();
    expect(await world.state()).toMatchObject({ status: "settled", version: 2 });
  });
});

describe("a migration that takes long", () => {
  test("goes on from function to function, each as long as it lives", async () => {
    const world = migrationWorld(stores.db, twoReleases, 2);
    await world.ask(3);
    world.sent.length = 0;
    let slices = 0;
    for (let status: string | undefined = "migrating"; status === "migrating"; slices += 1) {
      await world.deliver({}, 21_000);
      status = (await world.state())?.status;
    }
    expect(slices).toBeGreaterThan(2);
    expect(world.sent).toHaveLength(slices - 1);
    expect(await namesNow(greetingOfRelease2)).toEqual(names);
  });

  test("takes no more units a second than it may", async () => {
    const UNITS = 2;
    const world = migrationWorld(stores.db, [splitNames], UNITS);
    await world.ask(2);
    const before = world.slept();
    await world.deliverAll();
    expect(await world.state()).toMatchObject({ status: "settled" });
    // Each changed record is one write unit at least; nothing but sleep takes time here.
    expect((world.slept() - before) / 1000).toBeGreaterThan((PEOPLE + DAYS) / UNITS - 1);
  });

  test("is turned round by another target, and leaves nothing of its work", async () => {
    const before = await recordsOf(stores.db, "sessions");
    const world = migrationWorld(stores.db, [splitNames], 5);
    await world.ask(2);
    await world.deliver({}, 20_500);
    expect((await persons()).some((record) => "given" in record)).toBe(true);
    await world.ask(1);
    await world.deliverAll();
    expect(await world.state()).toMatchObject({ status: "settled", version: 1 });
    expect(await recordsOf(stores.db, "sessions")).toEqual(before);
  });

  test("notifies the route, which waits a moment and no longer, that it is in progress", async () => {
    const world = migrationWorld(stores.db, [splitNames]);
    expect(await world.ask(2)).toMatchObject({ status: "migrating", version: 1, target_version: 2 });
    expect(world.sent).toEqual([world.database.id]);
    expect(world.slept()).toBeLessThan(10_000);
  });
});

describe("a record that changes while it is migrated", () => {
  const rename = (name: string) =>
    stores.db.client.send(
      new UpdateCommand({
        TableName: stores.db.tables.sessions,
        Key: { pk: "person#3", sk: "person" },
        UpdateExpression: "SET #name = :name",
        ExpressionAttributeNames: { "#name": "name" },
        ExpressionAttributeValues: { ":name": name },
      }),
    );
  /** The same migration, that does something once between reading a record and writing it. */
  const interrupted = (act: () => Promise<unknown>): [Migration, () => Promise<unknown> | undefined] => {
    const [first, ...others] = splitNames.steps;
    if (!first) throw new Error("it has steps");
    let acting: Promise<unknown> | undefined;
    const up = (record: Item) => {
      if (record.pk === "person#3") acting ??= act();
      return first.up(record);
    };
    return [{ ...splitNames, steps: [{ ...first, up }, ...others] }, () => acting];
  };
  /** A store that waits for what was begun before it writes. */
  const afterwards = (acting: () => Promise<unknown> | undefined) => ({
    ...stores.db,
    client: new Proxy(stores.db.client, {
      get: (target, name) =>
        name !== "send"
          ? Reflect.get(target, name)
          : async (command: never) => {
              await acting();
              return target.send(command);
            },
    }),
  });

  test("is migrated as it is by then", async () => {
    const [migration, acting] = interrupted(() => rename("Grace Hopper"));
    const world = migrationWorld(stores.db, [migration]);
    await world.ask(2);
    await world.deliver({ db: afterwards(acting) });
    const changed = (await persons()).find(({ pk }) => pk === "person#3");
    expect(changed).toMatchObject({ name: "Grace Hopper", given: "Grace", family: "Hopper" });
  });

  test("stays away when it was removed", async () => {
    const removal = new DeleteCommand({
      TableName: stores.db.tables.sessions,
      Key: { pk: "person#3", sk: "person" },
    });
    const [migration, acting] = interrupted(() => stores.db.client.send(removal));
    const world = migrationWorld(stores.db, [migration]);
    await world.ask(2);
    await world.deliver({ db: afterwards(acting) });
    expect((await persons()).some(({ pk }) => pk === "person#3")).toBe(false);
    expect(await world.state()).toMatchObject({ status: "settled" });
  });
});

describe("a migration that fails", () => {
  let isBroken = true;
  const picky: Migration = {
    version: 2,
    name: "picky",
    steps: [
      {
        table: "sessions",
        up: (record) => {
          if (isBroken && record.pk === "person#2") throw new Error("of person#2");
          return splitNames.steps[0]?.up(record);
        },
        down: () => undefined,
      },
    ],
  };

  test("says so, without a word of the record, and goes on when it is asked for again", async () => {
    isBroken = true;
    const world = await migrated([picky], 2);
    const failed = await world.state();
    expect(failed).toMatchObject({ status: "failed", version: 1 });
    expect(JSON.stringify(failed)).not.toContain("person#2");
    expect(world.errors).toHaveLength(1);
    expect(await world.sweep()).toBe(0);
    isBroken = false;
    await world.ask(2);
    await world.deliverAll();
    expect(await world.state()).toMatchObject({ status: "settled", version: 2 });
    expect(await namesNow(greetingOfRelease2)).toEqual(names);
  });

  test("for want of its store tries again later, and gives up in the end", async () => {
    const world = migrationWorld(stores.db, [splitNames]);
    const outage = Object.assign(new Error("no connection"), { name: "TimeoutError" });
    const client = new Proxy(stores.db.client, {
      get: (target, name) =>
        name !== "send"
          ? Reflect.get(target, name)
          : async (command: { constructor: { name: string } }) => {
              if (command.constructor.name === "ScanCommand") throw outage;
              return target.send(command as never);
            },
    });
    await world.ask(2);
    const deliveries: (string | undefined)[] = [];
    for (let next = world.sent.shift(); next !== undefined; next = world.sent.shift()) {
      await world.deliver({ db: { ...stores.db, client } });
      deliveries.push((await world.state())?.status);
    }
    expect(deliveries).toEqual([...Array(9).fill("migrating"), "failed"]);
  });
});

test("two migrators at once: one works, the other leaves it alone", async () => {
  const world = migrationWorld(stores.db, [splitNames]);
  await world.ask(2);
  await Promise.all([world.deliver(), world.deliver()]);
  expect(await world.state()).toMatchObject({ status: "settled", records_read: expect.any(Number) });
  // Each table was read once: every record, and nothing twice.
  const all =
    (await recordsOf(stores.db, "sessions")).length + (await recordsOf(stores.db, "budgets")).length;
  expect((await world.state())?.records_read).toBe(all);
});

test("one that fails after another has finished its migration logs no error", async () => {
  let isFirst = true;
  const overtaken = migrationWorld(stores.db, [splitNames]);
  const client = new Proxy(stores.db.client, {
    get: (target, name) =>
      name !== "send"
        ? Reflect.get(target, name)
        : async (command: { constructor: { name: string } }) => {
            if (command.constructor.name !== "ScanCommand" || !isFirst) return target.send(command as never);
            isFirst = false;
            overtaken.advance(600_000);
            await overtaken.deliver();
            throw new Error("a page that came too late");
          },
  });
  await overtaken.ask(2);
  await overtaken.deliver({ db: { ...stores.db, client } });
  expect(await overtaken.state()).toMatchObject({ status: "settled", version: 2 });
  expect(overtaken.errors).toEqual([]);
});
