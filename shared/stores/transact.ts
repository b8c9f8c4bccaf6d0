import { TransactionCanceledException, TransactionConflictException } from "@aws-sdk/client-dynamodb";
import { TransactWriteCommand, type TransactWriteCommandInput } from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import type { Db } from "./db.ts";

/** One entry of a transaction. */
export type Write = NonNullable<TransactWriteCommandInput["TransactItems"]>[number];

/** A stored item in plain form. */
export type Item = Record<string, unknown>;

/**
 * The result of a transaction. If it was refused: the position of the first entry whose condition failed, and the item
 * it saw (`ReturnValuesOnConditionCheckFailure`), so that the caller knows the reason without a second read.
 */
export type Transacted =
  | { readonly written: true }
  | { readonly written: false; readonly entry: number; readonly seen: Item | undefined };

const TRIES = 8;
const BASE_DELAY_MS = 10;
/** Reasons after which a retry can succeed; the transaction changed nothing. */
const retryable = new Set(["TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"]);

/**
 * Writes all or nothing. Retries after conflicts with other transactions on the same items.
 *
 * @param writesOf  builds the entries; called again for each try (0, 1, …), so that a try may use another shard
 */
export async function transact(db: Db, writesOf: (tryNumber: number) => Write[]): Promise<Transacted> {
  for (let tryNumber = 0; ; tryNumber += 1) {
    try {
      await db.client.send(new TransactWriteCommand({ TransactItems: writesOf(tryNumber) }));
      return { written: true };
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const reasons = error.CancellationReasons ?? [];
      const entry = reasons.findIndex((reason) => reason.Code === "ConditionalCheckFailed");
      if (entry >= 0) {
        // The document client leaves these items in attribute form ({ S: … }).
        const item = reasons[entry]?.Item;
        return { written: false, entry, seen: item && unmarshall(item) };
      }
      const canRetry = reasons.some((reason) => reason.Code !== undefined && retryable.has(reason.Code));
      if (!canRetry || tryNumber + 1 >= TRIES) throw error;
      await backOff(tryNumber);
    }
  }
}

/** Repeats a single write that conflicted with a transaction on its item; such a write has changed nothing. */
export async function pastConflicts<T>(write: () => Promise<T>): Promise<T> {
  for (let tryNumber = 0; ; tryNumber += 1) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof TransactionConflictException) || tryNumber + 1 >= TRIES) throw error;
      await backOff(tryNumber);
    }
  }
}

/** The limit doubles so often at most: about two thirds of a second. */
const DOUBLINGS = 6;

/** Waits a random time below a limit that doubles with every try. */
export function backOff(tryNumber: number): Promise<void> {
  const ms = Math.random() * BASE_DELAY_MS * 2 ** Math.min(tryNumber, DOUBLINGS);
  return new Promise((resolve) => setTimeout(resolve, ms));
}
