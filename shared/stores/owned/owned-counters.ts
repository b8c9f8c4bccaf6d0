import { updateItem, type Write } from "../../data/writes.ts";
import type { TableName } from "../../settings/table-env.ts";
import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import { counterKey, counterKeys } from "./owned-keys.ts";

/** How many records a table has, and how many users own some. */
export type OwnedCounts = { readonly records: number; readonly owners: number };

/** The write that adds to the counters of a table. @param tryNumber selects another shard for every try */
export const addToCounters = (
  table: TableName,
  { owner, by, tryNumber }: { owner: string | null; by: OwnedCounts; tryNumber: number },
): Write => updateItem(table, counterKey(owner, tryNumber), { add: by });

export async function readCounters(db: Db, table: TableName): Promise<OwnedCounts> {
  const shards = await batchGet(db, db.tables[table], counterKeys());
  const sumOf = (name: keyof OwnedCounts) => shards.reduce((sum, shard) => sum + Number(shard[name] ?? 0), 0);
  return { records: sumOf("records"), owners: sumOf("owners") };
}
