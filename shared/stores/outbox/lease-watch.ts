import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import {
  type Delete,
  deleteItem,
  exists,
  isNew,
  putItem,
  transact,
  updateItem,
  type Write,
  write,
} from "../../data/index.ts";
import type { Db } from "../db.ts";
import type { StoredRun } from "../runs/run-item.ts";
import { eventItem, type StoredEvent } from "./event-item.ts";
import { outboxDue, watchKey } from "./outbox-keys.ts";

/** Version of the stored shape; raised with every change of it. */
export const LEASE_WATCH_SHAPE = 1;

/**
 * A foreground run that is executed. If its function dies, its end is not written: it only reads as failed once its lease
 * is over. So its lease is looked at then, where it may have subscribers.
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

/** What is written with the start of a foreground run; none where there is no subscriber. */
export async function watchEntries(
  db: Db,
  {
    run_id,
    owner,
    session_id,
    lease_until,
  }: Pick<StoredRun, "run_id" | "owner" | "session_id" | "lease_until">,
): Promise<Write[]> {
  if (lease_until === undefined || !(await db.outbox?.hasSubscribers("run"))) return [];
  const watch: StoredLeaseWatch = { owner, session_id, expires_at: lease_until + KEPT_SECONDS };
  const item = { ...watchKey(run_id), ...watch, ...dueAfter(run_id, lease_until), shape: LEASE_WATCH_SHAPE };
  return [putItem("outbox", item)];
}

/** What is written with the end of a foreground run. */
export const endWatch = (runId: string): Delete => deleteItem("outbox", watchKey(runId));

export async function getLeaseWatch(db: Db, runId: string): Promise<StoredLeaseWatch | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.outbox, Key: watchKey(runId), ConsistentRead: true }),
  );
  return Item && v.parse(StoredLeaseWatch, Item);
}

/** Looks again when the run's present lease is over. @param leaseUntil epoch seconds */
export async function watchAgain(db: Db, runId: string, leaseUntil: number): Promise<void> {
  await write(db, updateItem("outbox", watchKey(runId), { set: dueAfter(runId, leaseUntil), guard: exists }));
}

export async function removeWatch(db: Db, runId: string): Promise<void> {
  await write(db, endWatch(runId));
}

/** Writes the event of a lost run in place of its watch. @returns false where the event was written before */
export async function publishLostRun(db: Db, runId: string, event: StoredEvent): Promise<boolean> {
  const { written } = await transact(db, {
    event: putItem("outbox", eventItem(event), isNew),
    watch: endWatch(runId),
  });
  return written;
}
