import type { DynamoDBClient, WriteRequest } from "@aws-sdk/client-dynamodb";
import type { TableName } from "../../shared/settings/table-env.ts";
import { isExpired, isSame, keyOf, keyText, type StoredRow } from "./stored-row.ts";
import { getRows, scanTable, writeRows } from "./table-access.ts";

/** What becomes of single items, where it is not what the copy has. */
export type RowRule = {
  /**
   * The item that there is to be.
   *
   * @param then  of the copy; absent where the copy has none
   * @param now   of the table; absent where it has none
   * @returns     undefined for none
   */
  readonly wanted: (then: StoredRow | undefined, now: StoredRow | undefined) => StoredRow | undefined;
};

/** What was done to a table, in items. */
export type Copied = {
  readonly read: number;
  readonly written: number;
  readonly removed: number;
};

/** A table and who reads or writes it: the two of a copy may be in different accounts. */
export type TablePlace = { readonly client: DynamoDBClient; readonly table: string };

export type TableCopy = {
  /** The table that has what is wanted, and the one that gets it. */
  readonly from: TablePlace;
  readonly to: TablePlace;
  readonly rule?: RowRule | undefined;
  /** Epoch seconds: what has expired by then is not written. */
  readonly now: number;
};

const asItIs: RowRule = { wanted: (then) => then };

/**
 * Makes a table hold what another one holds. Only what differs is written, so a second pass over what is done already
 * writes nothing: whatever stops it, it can be begun again. Nothing else may write the table meanwhile.
 *
 *   each item of the copy  ─▶ another one in the table, or none ─▶ written
 *   each key of the table  ─▶ not in the copy                   ─▶ deleted
 *
 * @param progress  called with the sums so far
 */
export async function copyTable(
  { from, to, rule = asItIs, now }: TableCopy,
  progress: (copied: Copied) => void = () => {},
): Promise<Copied> {
  const sums = { read: 0, written: 0, removed: 0 };
  const apply = async (changes: readonly WriteRequest[]): Promise<void> => {
    await writeRows(to.client, to.table, changes);
    for (const { PutRequest } of changes) sums[PutRequest ? "written" : "removed"] += 1;
    progress({ ...sums });
  };
  await scanTable(from.client, from.table, async (copied) => {
    const rows = copied.filter((row) => !isExpired(row, now));
    const present = byKey(await getRows(to.client, to.table, rows.map(keyOf)));
    sums.read += copied.length;
    await apply(rows.flatMap((then) => change(rule, then, present.get(keyText(then)))));
  });
  // What was read by its key before is complete now, so only what the copy lacks is left to be judged.
  await scanTable(
    to.client,
    to.table,
    async (keys) => {
      const known = new Set((await getRows(from.client, from.table, keys.map(keyOf), true)).map(keyText));
      const surplus = keys.filter((key) => !known.has(keyText(key)));
      const rows = await getRows(to.client, to.table, surplus.map(keyOf));
      await apply(rows.flatMap((row) => change(rule, undefined, row)));
    },
    true,
  );
  return sums;
}

/** Tables that are copied beside each other. */
const TABLES_AT_ONCE = 4;

/** Copies tables, and says of each what was done to it. @returns the same by table */
export async function copyTables(
  tables: readonly TableName[],
  say: (line: string) => void,
  copyOf: (table: TableName) => TableCopy,
): Promise<Readonly<Record<string, Copied>>> {
  const done: Record<string, Copied> = {};
  const waiting = [...tables];
  const work = async (): Promise<void> => {
    for (let table = waiting.shift(); table !== undefined; table = waiting.shift()) {
      const copied = await copyTable(copyOf(table));
      done[table] = copied;
      say(`  ${table}: ${copied.read} items, ${copied.written} written, ${copied.removed} removed`);
    }
  };
  await Promise.all(Array.from({ length: TABLES_AT_ONCE }, work));
  return done;
}

const byKey = (rows: readonly StoredRow[]): ReadonlyMap<string, StoredRow> =>
  new Map(rows.map((row) => [keyText(row), row]));

function change(
  { wanted }: RowRule,
  then: StoredRow | undefined,
  now: StoredRow | undefined,
): WriteRequest[] {
  const row = wanted(then, now);
  if (row === undefined) return now ? [{ DeleteRequest: { Key: keyOf(now) } }] : [];
  return now && isSame(row, now) ? [] : [{ PutRequest: { Item: { ...row } } }];
}
