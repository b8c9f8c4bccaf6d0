import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { anyOf, present, putItem, updateItem, write } from "../../data/index.ts";
import type { Db } from "../db.ts";
import { eventsKey, type RunAddress, runKey } from "./run-keys.ts";

/**
 * Records the cancellation of a foreground run, on its record: it has no job.
 *
 * @param until  epoch seconds at which the cancellation expires
 * @returns false when it has a job by now, where its cancellation belongs, or was removed with its session
 */
export async function recordRunCancellation(db: Db, at: RunAddress, until: number): Promise<boolean> {
  // A run that was continued outside the queue keeps the mark of its ended job, and has a lease.
  const guard = anyOf({ queued: false }, { lease_until: present });
  const key = runKey(at.owner, at.session_id, at.run_id);
  return (await write(db, updateItem("runs", key, { set: { cancel_until: until }, guard }))).written;
}

/**
 * The cancellation of a foreground run, from its record and by its id; eventually consistent reads: cheap, possibly a
 * moment old.
 */
export async function readRunCancellation(db: Db, at: RunAddress): Promise<Cancellable> {
  const [{ Item: record }, byId] = await Promise.all([
    db.client.send(
      new GetCommand({
        TableName: db.tables.runs,
        Key: runKey(at.owner, at.session_id, at.run_id),
        ProjectionExpression: "cancel_until",
      }),
    ),
    readCancellationById(db, at.run_id, { consistent: false }),
  ]);
  return { cancel_until: later(record?.cancel_until, byId.cancel_until) };
}

const later = (one?: number, other?: number): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);

const byIdKey = (runId: string) => ({ pk: eventsKey(runId), sk: "cancellation" });

/**
 * Records the cancellation of a run of which only the id is known: the key of its record needs owner and session.
 * Whoever executes it in the foreground reads this too. Repeating it extends it.
 *
 * @param until  epoch seconds at which the cancellation expires
 */
export async function recordCancellationById(db: Db, runId: string, until: number): Promise<void> {
  await write(db, putItem("runs", { ...byIdKey(runId), cancel_until: until, expires_at: until }));
}

/** What `recordCancellationById` wrote; empty where it wrote nothing. */
export async function readCancellationById(
  db: Db,
  runId: string,
  { consistent = true }: { readonly consistent?: boolean } = {},
): Promise<Cancellable> {
  const { Item } = await db.client.send(
    new GetCommand({
      TableName: db.tables.runs,
      Key: byIdKey(runId),
      ProjectionExpression: "cancel_until",
      ConsistentRead: consistent,
    }),
  );
  return Item ?? {};
}

/** How long a recorded cancellation is in force. */
export const CANCELLATION_LIFE_SECONDS = 86_400;

/** Something that carries a cancellation intent: the epoch second at which it expires. */
export type Cancellable = { readonly cancel_until?: number | undefined };

/** Whether a cancellation is recorded and neither cleared nor expired. @param now epoch seconds */
export const isCancellationLive = ({ cancel_until }: Cancellable, now: number): boolean =>
  cancel_until !== undefined && cancel_until > now;
