import { type AttributeValue, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyTable } from "../../package/recovery/copy-table.ts";
import { ruleOf } from "../../package/recovery/restored-tables.ts";
import type { StoredRow } from "../../package/recovery/stored-row.ts";
import { scanTable, writeRows } from "../../package/recovery/table-access.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
let client: DynamoDBClient;

beforeAll(async () => {
  stores = await startStores();
  const credentials = { accessKeyId: "LOCAL", secretAccessKey: "local" };
  client = new DynamoDBClient({ endpoint: stores.endpoint, region: "us-east-1", credentials });
});

afterAll(async () => {
  client.destroy();
  await stores.stop();
});

const NOW = 2_000_000_000;

const row = (pk: string, attributes: Record<string, AttributeValue> = {}): StoredRow => ({
  pk: { S: pk },
  sk: { S: "row" },
  ...attributes,
});

const at = (table: string) => ({ client, table });

const put = (table: string, rows: readonly StoredRow[]) =>
  writeRows(
    client,
    table,
    rows.map((Item) => ({ PutRequest: { Item: { ...Item } } })),
  );

async function allOf(table: string): Promise<StoredRow[]> {
  const found: StoredRow[] = [];
  await scanTable(client, table, async (rows) => void found.push(...rows));
  return found.sort((a, b) => (String(a.pk?.S) < String(b.pk?.S) ? -1 : 1));
}

test("a table is made equal to its copy: what differs is written, what came later goes, the rest is not touched", async () => {
  const { metrics: from, budgets: to } = stores.db.tables;
  const same = Array.from({ length: 130 }, (_, i) =>
    row(`same#${String(i).padStart(3, "0")}`, { n: { N: String(i) } }),
  );
  const bytes = {
    data: { B: new Uint8Array([1, 2, 3]) },
    tags: { SS: ["a", "b"] },
    map: { M: { x: { S: "1" } } },
  };
  const then = [...same, row("bytes", bytes), row("changed", { v: { S: "then" } }), row("deleted")];
  const expired = row("expired", { expires_at: { N: String(NOW - 1) } });
  await put(from, [...then, expired]);
  await put(to, [...same, row("bytes", bytes), row("changed", { v: { S: "now" } }), row("later")]);

  expect(await copyTable({ from: at(from), to: at(to), now: NOW })).toEqual({
    read: 134,
    written: 2,
    removed: 1,
  });
  expect(await allOf(to)).toEqual(then.sort((a, b) => (String(a.pk?.S) < String(b.pk?.S) ? -1 : 1)));
  expect(await copyTable({ from: at(from), to: at(to), now: NOW })).toEqual({
    read: 134,
    written: 0,
    removed: 0,
  });
});

test("whatever came later goes, also the rows at which a page of the table ends", async () => {
  const { evals: from, audit: to } = stores.db.tables;
  // A page ends after 1 MB, so these are ten pages and more.
  const filler = { text: { S: "x".repeat(100_000) } };
  const rows = Array.from({ length: 120 }, (_, i) => row(`later#${i}`, filler));
  await put(to, rows);
  const { removed } = await copyTable({ from: at(from), to: at(to), now: NOW });
  expect(await allOf(to)).toEqual([]);
  expect(removed).toBe(rows.length);
});

test("the record of the last comparison of schedules is not restored, so the next one is due at once", async () => {
  const { evals: from, schedules: to } = stores.db.tables;
  await put(from, [row("comparison"), row("schedule#1")]);
  await put(to, [row("comparison", { compared_at: { N: "5" } })]);
  await copyTable({ from: at(from), to: at(to), rule: ruleOf("schedules", true, NOW), now: NOW });
  expect((await allOf(to)).map(({ pk }) => pk?.S)).toEqual(["schedule#1"]);
});
