import type { TableName } from "../../settings/table-env.ts";
import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import type { Write } from "../transact.ts";
import { counterKey, counterKeys } from "./owned-keys.ts";

/** How many records a table has, and how many users own some. */
export type OwnedCounts = { readonly records: number; readonly owners: number };

/** The entry that adds to the counters of a table. @param tryNumber selects another shard for every try */
export function addToCounters(
  db: Db,
  table: TableName,
  { owner, by, tryNumber }: { owner: string | null; by: OwnedCounts; tryNumber: number },
): Write {
  return {
    Update: {
      TableName: db.tables[table],
      Key: counterKey(owner, tryNumber),
      UpdateExpression: "ADD records :records, owners :owners",
      ExpressionAttributeValues: { ":records": by.records, ":owners": by.owners },
    },
  };
}

export async function readCounters(db: Db, table: TableName): Promise<OwnedCounts> {
  const shards = await batchGet(db, db.tables[table], counterKeys());
  const sumOf = (name: keyof OwnedCounts) => shards.reduce((sum, shard) => sum + Number(shard[name] ?? 0), 0);
  return { records: sumOf("records"), owners: sumOf("owners") };
}
