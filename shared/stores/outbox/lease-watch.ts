import { DeleteCommand, GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import type { Db } from "../db.ts";
import type { StoredRun } from "../runs/run-item.ts";
import { transact, type Write } from "../transact.ts";
import { eventItem, type StoredEvent } from "./event-item.ts";
import { outboxDue, watchKey } from "./outbox-keys.ts";

/** Version of the stored shape; raised with every change of it. */
export const LEASE_WATCH_SHAPE = 1;

/**
 * A foreground run that is executed. If its function dies, nobody writes its end: it only reads as failed once its lease
 * is over. So its lease is looked at then, where receivers may hear of it.
 */
export const StoredLeaseWatch = v.object({
  owner: v.nullable(v.string()),
  session_id: v.string(),
  expires_at: v.number(),
});
export type StoredLeaseWatch = v.InferOutput<typeof StoredLeaseWatch>;

const SETTLING_SECONDS = 30;
const KEPT_SECONDS = 7 * 86_400;

const dueAfter = (runId: string, leaseUntil: number) =>
  outboxDue.keys({ subject: { kind: "run", id: runId } }, leaseUntil + SETTLING_SECONDS);

/** The entry that is written with the start of a foreground run; none where nobody would hear of it. */
export async function watchEntries(
  db: Db,
  {
    run_id,
    owner,
    session_id,
    lease_until,
  }: Pick<StoredRun, "run_id" | "owner" | "session_id" | "lease_until">,
): Promise<Write[]> {
  if (lease_until === undefined || !(await db.outbox?.isHeard("run"))) return [];
  const watch: StoredLeaseWatch = { owner, session_id, expires_at: lease_until + KEPT_SECONDS };
  const Item = { ...watchKey(run_id), ...watch, ...dueAfter(run_id, lease_until), shape: LEASE_WATCH_SHAPE };
  return [{ Put: { TableName: db.tables.outbox, Item } }];
}

/** The entry that is written with the end of a foreground run. */
export const endWatch = (db: Db, runId: string): Write => ({
  Delete: { TableName: db.tables.outbox, Key: watchKey(runId) },
});

export async function getLeaseWatch(db: Db, runId: string): Promise<StoredLeaseWatch | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.outbox, Key: watchKey(runId), ConsistentRead: true }),
  );
  return Item && v.parse(StoredLeaseWatch, Item);
}

/** Looks again when the run's present lease is over. @param leaseUntil epoch seconds */
export async function watchAgain(db: Db, runId: string, leaseUntil: number): Promise<void> {
  const { due_shard, due } = dueAfter(runId, leaseUntil);
  await db.client.send(
    new UpdateCommand({
      TableName: db.tables.outbox,
      Key: watchKey(runId),
      UpdateExpression: "SET due_shard = :shard, due = :due",
      ConditionExpression: "attribute_exists(pk)",
      ExpressionAttributeValues: { ":shard": due_shard, ":due": due },
    }),
  );
}

export async function removeWatch(db: Db, runId: string): Promise<void> {
  await db.client.send(new DeleteCommand({ TableName: db.tables.outbox, Key: watchKey(runId) }));
}

/** Writes the event of a lost run in place of its watch. @returns false where the event was written before */
export async function tellLost(db: Db, runId: string, event: StoredEvent): Promise<boolean> {
  const { written } = await transact(db, () => [
    {
      Put: {
        TableName: db.tables.outbox,
        Item: eventItem(event),
        ConditionExpression: "attribute_not_exists(pk)",
      },
    },
    endWatch(db, runId),
  ]);
  return written;
}
