import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { Item, Key } from "../../shared/data/index.ts";
import { createComponentRun } from "../../shared/runs/index.ts";
import { executeJob } from "../../shared/runs/worker.ts";
import type { TableName } from "../../shared/settings/table-env.ts";
import type { Db } from "../../shared/stores/db.ts";
import { type TableLayout, tables } from "../../shared/stores/tables.ts";
import { queueWorld } from "../../test/support/queue-world.ts";
import { startStores } from "../../test/support/stores.ts";
import type { Row } from "../figures.ts";

const RUNS = 256;
const RATE = 8_000;
/** Write units a second that one partition takes. @source DynamoDB guide, limits of a partition */
const PARTITION_UNITS = 1_000;
const UNIT_BYTES = 1_024;

/** Settings of the indexes for such a rate. */
export const manyShards = { jobIndexShards: 64, runIndexShards: 16 };

/** Whose the runs are, and how many each session has. */
type Load = { readonly users: number; readonly runsOfSession: number };
export const manyUsers: Load = { users: 64, runsOfSession: 4 };
export const newSessions: Load = { users: 256, runsOfSession: 1 };
export const oneAccount: Load = { users: 1, runsOfSession: 4 };

/** Partitions of one kind that several sessions write to, in a table or an index. */
export type SharedPartitions = {
  readonly where: string;
  readonly kind: string;
  readonly partitions: number;
  /** Of one run, in all of them together. */
  readonly units: number;
};

/**
 * Which partitions the runs of a queue share, how many write units a second each gets at 8,000 runs a second, and at which rate it is full:
 * by the product's own code against a database. What an index writes is worked out from the items before and after.
 */
export async function measurePartitions(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, shards, load] of [
    ["many users, as set by default", {}, manyUsers],
    ["many users, more partitions", manyShards, manyUsers],
    ["one account, more partitions", manyShards, oneAccount],
  ] as const) {
    for (const { where, kind, partitions, units } of await sharedPartitions(shards, load)) {
      const each = (units * RATE) / partitions;
      const full = Math.round((partitions * PARTITION_UNITS) / units);
      rows.push({
        what: `${name}: ${where}, ${partitions} of ${kind}`,
        figure: `${Math.round(each).toLocaleString("en")} units/s each, full at ${full.toLocaleString("en")} runs/s`,
      });
    }
  }
  return rows;
}

/** Kinds of partitions that runs of several sessions share, the busiest first. */
export async function sharedPartitions(
  shards: Partial<Pick<Db, "jobIndexShards" | "runIndexShards">>,
  { users, runsOfSession }: Load,
): Promise<SharedPartitions[]> {
  const stores = await startStores();
  try {
    const db = { ...stores.db, ...shards };
    const watched = watchWrites(db);
    const world = queueWorld(db, { MAX_QUEUE_DEPTH: 0 });
    for (let run = 0; run < RUNS; run += 1) {
      const session = Math.floor(run / runsOfSession);
      const user_id = `user-${session % users}`;
      const principal = { kind: "user" as const, user_id, scopes: ["agents:run"], admin: false };
      watched.begin(session);
      const request = world.request("hi", { session_id: `session-of-${session}` });
      await createComponentRun({ ...request, principal }, world);
      const [message] = world.queue.sent.splice(0);
      if (!message) throw new Error("no message was sent");
      await executeJob(world, message, 900_000);
    }
    return watched.shared();
  } finally {
    await stores.stop();
  }
}

type Seen = { units: number; readonly sessions: Set<number> };

type Written = { readonly table: string; readonly key: Key; readonly perKilobyte: number };

/** Notes each write of a connection: in which partition of the table, and of its indexes. */
function watchWrites(db: Db) {
  const layouts: Readonly<Record<string, TableLayout>> = Object.fromEntries(
    Object.entries<TableLayout>(tables).map(([name, layout]) => [db.tables[name as TableName], layout]),
  );
  const names = new Map(Object.entries(db.tables).map(([name, table]) => [table, name]));
  const items = new Map<string, Item | undefined>();
  const partitions = new Map<string, Seen>();
  let session = 0;
  db.client.middlewareStack.add(
    (next, context) => async (args) => {
      const answered = await next(args);
      // At once: an item passes through partitions that its next write takes it out of.
      for (const written of writesOf(String(context.commandName), args.input)) await look(written);
      return answered;
    },
    { step: "initialize", name: "writes" },
  );
  const note = (where: string, partition: unknown, units: number) => {
    const place = `${where}|${partition}`;
    const seen = partitions.get(place) ?? { units: 0, sessions: new Set() };
    seen.units += units;
    seen.sessions.add(session);
    partitions.set(place, seen);
  };
  const look = async ({ table, key, perKilobyte }: Written): Promise<void> => {
    const name = names.get(table) ?? table;
    const { Item: after } = await db.client.send(new GetCommand({ TableName: table, Key: key }));
    const place = `${table}|${key.pk}|${key.sk}`;
    const before = items.get(place);
    items.set(place, after);
    note(name, key.pk, perKilobyte * Math.ceil(sizeOf(after ?? before) / UNIT_BYTES));
    for (const [index, { pk, sk }] of Object.entries(layouts[table]?.indexes ?? {})) {
      const [old, now] = [before, after].map((item) => item?.[pk] !== undefined && item[sk] !== undefined);
      const moved = before?.[pk] !== after?.[pk] || before?.[sk] !== after?.[sk];
      if (old && moved) note(`${name}.${index}`, before?.[pk], 1);
      if (now && (moved || !before)) note(`${name}.${index}`, after?.[pk], 1);
    }
  };
  return {
    /** What is written from now on belongs to a session. */
    begin: (of: number): void => {
      session = of;
    },
    shared(): SharedPartitions[] {
      const kinds = Map.groupBy(
        [...partitions].filter(([, { sessions }]) => sessions.size > 1),
        ([place]) => place.replace(/\d+$/, "*").replace(/\|\d+user/, "|*user"),
      );
      return [...kinds]
        .map(([kind, all]) => {
          const [where = "", of = ""] = kind.split("|");
          const units = all.reduce((sum, [, seen]) => sum + seen.units, 0) / RUNS;
          return { where, kind: of, partitions: all.length, units };
        })
        .sort((a, b) => b.units / b.partitions - a.units / a.partitions);
    },
  };
}

/** Keys that a command writes, and the units of each kilobyte: a transaction takes two. */
function writesOf(command: string, input: object): Written[] {
  const {
    TableName: table = "",
    Key,
    Item,
    TransactItems = [],
    RequestItems = {},
  } = input as {
    TableName?: string;
    Key?: Key;
    Item?: Item;
    TransactItems?: Readonly<Record<string, { TableName: string; Key?: Key; Item?: Item }>>[];
    RequestItems?: Readonly<Record<string, { PutRequest?: { Item: Item }; DeleteRequest?: { Key: Key } }[]>>;
  };
  const keyOf = (of: Item | Key | undefined): Key => ({ pk: String(of?.pk), sk: String(of?.sk) });
  if (/^(Put|Update|Delete)(Item)?(Command)?$/.test(command))
    return [{ table, key: keyOf(Key ?? Item), perKilobyte: 1 }];
  if (command.startsWith("TransactWrite"))
    return TransactItems.flatMap((entry) =>
      Object.values(entry).map((one) => ({
        table: one.TableName,
        key: keyOf(one.Key ?? one.Item),
        perKilobyte: 2,
      })),
    );
  if (command.startsWith("BatchWrite"))
    return Object.entries(RequestItems).flatMap(([name, all]) =>
      all.map((one) => ({
        table: name,
        key: keyOf(one.PutRequest?.Item ?? one.DeleteRequest?.Key),
        perKilobyte: 1,
      })),
    );
  return [];
}

const sizeOf = (item: Item | undefined): number =>
  JSON.stringify(item ?? {}, (_, value) => (value instanceof Uint8Array ? "x".repeat(value.length) : value))
    .length;
