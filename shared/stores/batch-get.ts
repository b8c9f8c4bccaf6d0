import { BatchGetCommand, type BatchGetCommandOutput } from "@aws-sdk/lib-dynamodb";
import { backOff, type Item } from "../data/index.ts";
import type { Db } from "./db.ts";

/** Most keys of a batch read (documented limit of the service). */
const BATCH_KEYS = 100;
const AT_A_TIME = 8;

/** What reads have taken so far, for a caller who stops at some amount: read units, and bytes of objects. */
export type Taken = { units: number; bytes: number };

/**
 * Reads items by key, in no particular order; missing items are left out.
 *
 * @param only  attributes to read, or members of them such as `output.model`; all attributes when absent
 * @param taken  grows by what this reads
 */
export async function batchGet(
  db: Db,
  table: string,
  keys: readonly Item[],
  only?: readonly string[],
  taken?: Taken,
): Promise<Item[]> {
  const found: Item[] = [];
  const wave = BATCH_KEYS * AT_A_TIME;
  for (let from = 0; from < keys.length; from += wave) {
    const batches: Promise<Item[]>[] = [];
    for (let at = from; at < Math.min(from + wave, keys.length); at += BATCH_KEYS) {
      batches.push(readBatch(db, table, keys.slice(at, at + BATCH_KEYS), only, taken));
    }
    found.push(...(await Promise.all(batches)).flat());
  }
  return found;
}

async function readBatch(
  db: Db,
  table: string,
  wanted: Item[],
  only: readonly string[] | undefined,
  taken: Taken | undefined,
): Promise<Item[]> {
  const names = only?.flatMap((path) => path.split("."));
  const projection = only && {
    ProjectionExpression: only.map((path) => `#${path.replaceAll(".", ".#")}`).join(", "),
    ExpressionAttributeNames: Object.fromEntries((names ?? []).map((name) => [`#${name}`, name])),
  };
  const items: Item[] = [];
  let keys: Item[] | undefined = wanted;
  for (let tryNumber = 0; keys && keys.length > 0; tryNumber += 1) {
    if (tryNumber > 0) await backOff(tryNumber);
    const answer: BatchGetCommandOutput = await db.client.send(
      new BatchGetCommand({
        RequestItems: { [table]: { Keys: keys, ConsistentRead: true, ...projection } },
        ...(taken && { ReturnConsumedCapacity: "TOTAL" }),
      }),
    );
    if (taken)
      for (const { CapacityUnits = 0 } of answer.ConsumedCapacity ?? []) taken.units += CapacityUnits;
    items.push(...(answer.Responses?.[table] ?? []));
    keys = answer.UnprocessedKeys?.[table]?.Keys;
  }
  return items;
}
