import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { putItem, write } from "../../data/index.ts";
import type { Db } from "../db.ts";

/** Version of the stored shape; raised with every change of it. */
export const COMPARISON_SHAPE = 1;

/** The last comparison of the schedules with the scheduler's entries that left nothing to be done. */
export const StoredComparison = v.object({
  /** When it began; epoch seconds. */
  compared_at: v.number(),
  /** When the group of the entries had been made; epoch seconds. Another group has none of the entries. */
  group_made_at: v.number(),
});
export type StoredComparison = v.InferOutput<typeof StoredComparison>;

const key = { pk: "comparison", sk: "comparison" };

export async function getComparison(db: Db): Promise<StoredComparison | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.schedules, Key: key, ConsistentRead: true }),
  );
  return Item && v.parse(StoredComparison, Item);
}

export async function putComparison(db: Db, comparison: StoredComparison): Promise<void> {
  await write(db, putItem("schedules", { ...key, ...comparison, shape: COMPARISON_SHAPE }));
}
