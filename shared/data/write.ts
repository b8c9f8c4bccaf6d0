import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
} from "@aws-sdk/client-dynamodb";
import { DeleteCommand, PutCommand, TransactWriteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
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

/** What a part of a transaction writes; `undefined` is nothing. */
export type Part = Write | undefined | readonly (Write | undefined)[];

/** The writes of a transaction, in their order, by what they are to the caller. */
export type Parts<Name extends string = string> = Readonly<Record<Name, Part>>;

/**
 * The result of a transaction. If it was refused: the name of the first part of which a guard did not hold, and the item
 * that this guard saw, so that the caller knows the reason without a second read.
 */
export type Transacted<Name extends string = string> =
  | { readonly written: true }
  | { readonly written: false; readonly refused: Name; readonly seen: Item | undefined };

const TRIES = 8;
/** Reasons after which a retry can succeed; the transaction changed nothing. */
const retryable = new Set(["TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"]);

/**
 * Writes all or nothing. Retries after conflicts with other transactions on the same items.
 *
 * @param parts  or what builds them; called for each try (0, 1, …), so that a try may use another shard
 */
export async function transact<Name extends string>(
  db: Connection,
  parts: Parts<Name> | ((tryNumber: number) => Parts<Name>),
): Promise<Transacted<Name>> {
  for (let tryNumber = 0; ; tryNumber += 1) {
    const entries = entriesOf(typeof parts === "function" ? parts(tryNumber) : parts);
    try {
      const TransactItems = entries.map(({ write }) => requestOf(db, write));
      await db.client.send(new TransactWriteCommand({ TransactItems }));
      return { written: true };
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const reasons = error.CancellationReasons ?? [];
      const refusal = entries.flatMap(({ name }, position) => {
        const { Code, Item: seen } = reasons[position] ?? {};
        return Code === "ConditionalCheckFailed" ? [{ refused: name, seen: refusedItem(seen) }] : [];
      })[0];
      if (refusal) return { written: false, ...refusal };
      const canRetry = reasons.some(({ Code }) => Code !== undefined && retryable.has(Code));
      if (!canRetry || tryNumber + 1 >= TRIES) throw error;
      await backOff(tryNumber);
    }
  }
}

/** Parts of several, by name: all that one name stands for are one part. */
export function joined<Name extends string>(all: readonly Parts<Name>[]): Parts<Name> {
  const byName = Map.groupBy(all.flatMap(entriesOf), ({ name }) => name);
  const writes = [...byName].map(([name, entries]) => [name, entries.map(({ write }) => write)]);
  return Object.fromEntries(writes) as Parts<Name>; // a part that is nowhere is none
}

/** The result as far as it is about these parts; undefined where another one was refused. */
export function resultOf<Name extends string>(
  parts: Parts<Name>,
  result: Transacted,
): Transacted<Name> | undefined {
  if (result.written) return result;
  const { refused, seen } = result;
  return isIn(parts, refused) ? { written: false, refused, seen } : undefined;
}

const isIn = <Name extends string>(parts: Parts<Name>, name: string): name is Name => name in parts;

/** How many writes there are. */
export const countWrites = (parts: Parts): number => entriesOf(parts).length;

type Entry<Name> = { readonly name: Name; readonly write: Write };

function entriesOf<Name extends string>(parts: Parts<Name>): Entry<Name>[] {
  const named = Object.entries(parts) as [Name, Part][]; // its own keys
  return named.flatMap(([name, part]) => writesOf(part).map((write) => ({ name, write })));
}

function writesOf(part: Part): readonly Write[] {
  if (part === undefined) return [];
  return "kind" in part ? [part] : part.filter((write) => write !== undefined);
}
