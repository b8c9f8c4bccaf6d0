import type { DeliveryQueue } from "../../shared/queue/delivery-queue.ts";
import type { Db } from "../../shared/stores/db.ts";
import { listDueSubjects } from "../../shared/stores/outbox/list-due-subjects.ts";

/** Due things of one round and one shard at most; the next round continues. */
const DUE_PER_SHARD = 250;

/**
 * Sends another message for each subject with an event or a delivery that is due: its message was lost, its worker died,
 * or the wait before its next try is longer than a message can be delayed. Where webhooks are off, nothing is read.
 *
 * @param now  epoch seconds
 * @returns    how many were sent
 */
export async function resendDeliveries(
  { db, deliveries }: { readonly db: Db; readonly deliveries: DeliveryQueue },
  now: number,
): Promise<number> {
  if (!db.outbox) return 0;
  const due = await listDueSubjects(db, now, DUE_PER_SHARD);
  for (const subject of due) await deliveries.send({ subject });
  return due.length;
}
