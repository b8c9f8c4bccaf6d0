import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { plus, updateItem, writeAndRead } from "../../data/index.ts";
import type { Db } from "../db.ts";

/** Version of the stored shape; raised with every change of it. */
export const CALLBACK_KEYS_SHAPE = 1;

/** Which key signs the callbacks of a user's runs; there is none before the first rotation. */
export const StoredCallbackKeys = v.object({
  generation: v.number(),
  /** Epoch seconds; until then the key before is valid too. */
  previous_until: v.optional(v.number()),
});
export type StoredCallbackKeys = v.InferOutput<typeof StoredCallbackKeys>;

const FIRST: StoredCallbackKeys = { generation: 1 };

const callbackKeysKey = (owner: string | null) => ({
  pk: `callbacks-of#${encodeURIComponent(owner ?? "")}`,
  sk: "keys",
});

/** A consistent read. */
export async function getCallbackKeys(db: Db, owner: string | null): Promise<StoredCallbackKeys> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.outbox, Key: callbackKeysKey(owner), ConsistentRead: true }),
  );
  return Item ? v.parse(StoredCallbackKeys, Item) : FIRST;
}

/**
 * Makes the next key the one that is shown.
 *
 * @param previousUntil  epoch seconds; until then the present one signs too
 */
export async function rotateCallbackKeys(
  db: Db,
  owner: string | null,
  previousUntil: number,
): Promise<StoredCallbackKeys> {
  const set = {
    generation: plus(1, FIRST.generation),
    previous_until: previousUntil,
    shape: CALLBACK_KEYS_SHAPE,
  };
  const result = await writeAndRead(db, updateItem("outbox", callbackKeysKey(owner), { set }));
  if (!result.written) throw new Error("an update without a guard was refused");
  return v.parse(StoredCallbackKeys, result.item);
}
