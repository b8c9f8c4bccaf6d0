import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { above, absent, anyOf, below, updateItem, write } from "../../data/index.ts";
import { servingInstead } from "../../domain/jobs/plan-lock-check.ts";
import type { Db } from "../db.ts";
import { jobKey } from "./job-keys.ts";

/** Version of the stored shape; raised with every change of it. */
export const LOCK_CHECK_SHAPE = 1;

/** The check of the locks that is under way, or was the last. */
export const StoredLockCheck = v.object({
  /** Epoch seconds. */
  due_at: v.number(),
  /** Epoch seconds. */
  expires_at: v.number(),
});

const KEY = { pk: "lock-check", sk: "lock-check" };
/** The record is of no use once its check has come. */
const RETENTION_SECONDS = 86_400;

/** Whether the caller has to send the check; and when the one comes that is under way now, in epoch seconds. */
export type ReservedCheck = { readonly reserved: boolean; readonly due_at: number };

/**
 * Reserves the check of the locks for an instant, so that one is under way at a time, however many processes ask. One
 * that should have come by now does not count: a lost check is replaced by whoever asks next.
 *
 * @param due_at  when the check is needed; epoch seconds
 * @param now     epoch seconds
 * @param trusts  whether a check counts that another process has reserved: it may have been lost since
 */
export async function reserveLockCheck(
  db: Db,
  due_at: number,
  now: number,
  trusts: boolean,
): Promise<ReservedCheck> {
  const { earliest, latest } = servingInstead(due_at, now);
  const reservation = updateItem("jobs", KEY, {
    set: { due_at, expires_at: due_at + RETENTION_SECONDS, shape: LOCK_CHECK_SHAPE },
    guard: trusts
      ? anyOf({ due_at: absent }, { due_at: below(earliest) }, { due_at: above(latest) })
      : undefined,
  });
  const result = await write(db, reservation);
  return result.written
    ? { reserved: true, due_at }
    : { reserved: false, due_at: v.parse(StoredLockCheck, result.seen).due_at };
}

/** What a worker reads while it executes: whether it still has the lock, and whether the run is cancelled. */
export type LockSeen = {
  readonly locked_by: string | null;
  readonly attempt: number;
  readonly cancel_until?: number;
};

/** An eventually consistent read: cheap, possibly a moment old. */
export async function readLock(db: Db, id: string): Promise<LockSeen | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({
      TableName: db.tables.jobs,
      Key: jobKey(id),
      ProjectionExpression: "locked_by, attempt, cancel_until",
    }),
  );
  return Item as LockSeen | undefined;
}
