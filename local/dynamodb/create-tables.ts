import * as v from "valibot";
import { StartupError } from "../startup-error.ts";
import type { TableModel } from "../template/tables.ts";
import { post } from "./post.ts";

/**
 * Creates the tables that are missing, and the indexes that a newer template adds. Never changes data.
 *
 * @returns whether every table was missing
 */
export async function createTables(endpoint: string, tables: readonly TableModel[]): Promise<boolean> {
  const made = await Promise.all(tables.map((table) => createTable(endpoint, table)));
  return !made.includes(false);
}

/** Puts an item into a table. @param item  in DynamoDB's own form */
export async function putFirstItem(endpoint: string, table: string, item: object): Promise<void> {
  const put = await call(endpoint, "PutItem", { TableName: table, Item: item });
  if (!put.ok) throw failure("PutItem", table, put);
}

const Description = v.object({
  Table: v.object({
    GlobalSecondaryIndexes: v.optional(v.array(v.object({ IndexName: v.string() })), []),
  }),
});

/** @returns whether it was missing */
async function createTable(endpoint: string, table: TableModel): Promise<boolean> {
  const { name, TimeToLiveSpecification, ...layout } = table;
  const created = await call(endpoint, "CreateTable", {
    TableName: name,
    ...layout,
    BillingMode: "PAY_PER_REQUEST",
  });
  if (!created.ok) {
    if (!created.type.endsWith("ResourceInUseException")) throw failure("CreateTable", name, created);
    await addIndexes(endpoint, table);
    return false;
  }
  if (!TimeToLiveSpecification?.Enabled) return true;
  const ttl = await call(endpoint, "UpdateTimeToLive", { TableName: name, TimeToLiveSpecification });
  if (!ttl.ok) throw failure("UpdateTimeToLive", name, ttl);
  return true;
}

async function addIndexes(endpoint: string, table: TableModel): Promise<void> {
  const described = await call(endpoint, "DescribeTable", { TableName: table.name });
  if (!described.ok) throw failure("DescribeTable", table.name, described);
  const present = v.parse(Description, described.body).Table.GlobalSecondaryIndexes;
  for (const index of table.GlobalSecondaryIndexes ?? []) {
    if (present.some(({ IndexName }) => IndexName === index.IndexName)) continue;
    const added = await call(endpoint, "UpdateTable", {
      TableName: table.name,
      AttributeDefinitions: table.AttributeDefinitions,
      GlobalSecondaryIndexUpdates: [{ Create: index }],
    });
    if (!added.ok) throw failure("UpdateTable", table.name, added);
  }
}

type Reply = { ok: true; body: unknown } | { ok: false; type: string; message: string };
const Failure = v.object({
  __type: v.string(),
  message: v.optional(v.string()),
  Message: v.optional(v.string()),
});

/** One call in DynamoDB's protocol. The engines check that a signature is present, not that it is correct. */
async function call(endpoint: string, operation: string, input: object): Promise<Reply> {
  const headers = {
    "content-type": "application/x-amz-json-1.0",
    "x-amz-target": `DynamoDB_20120810.${operation}`,
    "x-amz-date": "20260101T000000Z",
    authorization:
      "AWS4-HMAC-SHA256 Credential=LOCAL/20260101/us-east-1/dynamodb/aws4_request, " +
      "SignedHeaders=host;x-amz-date, Signature=0",
  };
  const response = await post(endpoint, headers, JSON.stringify(input));
  const body: unknown = JSON.parse(response.body);
  if (response.status === 200) return { ok: true, body };
  const error = v.parse(Failure, body);
  return { ok: false, type: error.__type, message: error.message ?? error.Message ?? "" };
}

const failure = (
  operation: string,
  table: string,
  { type, message }: { type: string; message: string },
): Error => new StartupError(`${operation} of ${table} failed: ${type} ${message}`);
