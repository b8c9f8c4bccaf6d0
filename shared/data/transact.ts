import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { backOff } from "./back-off.ts";
import type { Connection } from "./connection.ts";
import { type Item, refusedItem } from "./item.ts";
import { requestOf, type Write } from "./writes.ts";

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
