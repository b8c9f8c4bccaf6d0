import { ConditionalCheckFailedException, TransactionConflictException } from "@aws-sdk/client-dynamodb";
import { DeleteCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { backOff } from "./back-off.ts";
import type { Connection } from "./connection.ts";
import { type Item, refusedItem } from "./item.ts";
import { type Check, type Put, requestOf, type Update, type Write } from "./writes.ts";

/** A lost condition is an answer: it carries the item that the condition was checked on, if there is one. */
export type Refused = { readonly written: false; readonly seen: Item | undefined };
export type Written = { readonly written: true } | Refused;

/** A write that is one by itself. */
type Lone = Exclude<Write, Check>;

/** Makes one write, once or not at all. */
export async function write(db: Connection, one: Lone): Promise<Written> {
  const result = await send(db, one);
  return result.written ? { written: true } : result;
}

/** Changes an item and answers with it, as it is then. */
export async function writeAndRead(
  db: Connection,
  one: Update,
): Promise<{ readonly written: true; readonly item: Item } | Refused> {
  const result = await send(db, one, { ReturnValues: "ALL_NEW" });
  return result.written ? { written: true, item: result.output.Attributes ?? {} } : result;
}

/** Writes an item and answers with the one that it replaced. */
export async function writeAndReplace(
  db: Connection,
  one: Put,
): Promise<{ readonly written: true; readonly replaced: Item | undefined } | Refused> {
  const result = await send(db, one, { ReturnValues: "ALL_OLD" });
  return result.written ? { written: true, replaced: result.output.Attributes } : result;
}

/** Makes one write and answers with what it cost, in write units. */
export async function writeAndMeasure(
  db: Connection,
  one: Lone,
): Promise<{ readonly written: true; readonly units: number } | Refused> {
  const result = await send(db, one, { ReturnConsumedCapacity: "TOTAL" });
  return result.written
    ? { written: true, units: result.output.ConsumedCapacity?.CapacityUnits ?? 1 }
    : result;
}

type Wanted = {
  readonly ReturnValues?: "ALL_NEW" | "ALL_OLD";
  readonly ReturnConsumedCapacity?: "TOTAL";
};
type Output = {
  readonly Attributes?: Item | undefined;
  readonly ConsumedCapacity?: { readonly CapacityUnits?: number | undefined } | undefined;
};

async function send(
  db: Connection,
  one: Lone,
  wanted: Wanted = {},
): Promise<{ readonly written: true; readonly output: Output } | Refused> {
  try {
    return { written: true, output: await pastConflicts(() => sendOnce(db, one, wanted)) };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { written: false, seen: refusedItem(error.Item) };
  }
}

function sendOnce(db: Connection, one: Lone, wanted: Wanted): Promise<Output> {
  const request = requestOf(db, one);
  if ("Put" in request) return db.client.send(new PutCommand({ ...request.Put, ...wanted }));
  if ("Update" in request) return db.client.send(new UpdateCommand({ ...request.Update, ...wanted }));
  if ("Delete" in request) return db.client.send(new DeleteCommand({ ...request.Delete, ...wanted }));
  throw new Error("a check is part of a transaction");
}

const CONFLICT_TRIES = 8;

/** Repeats a write that met a transaction on its item; such a write has changed nothing. */
async function pastConflicts<T>(sendOnce: () => Promise<T>): Promise<T> {
  for (let tryNumber = 0; ; tryNumber += 1) {
    try {
      return await sendOnce();
    } catch (error) {
      if (!(error instanceof TransactionConflictException) || tryNumber + 1 >= CONFLICT_TRIES) throw error;
      await backOff(tryNumber);
    }
  }
}
