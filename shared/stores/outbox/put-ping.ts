import type { Db } from "../db.ts";
import { transact } from "../transact.ts";
import { deliveryItem, type StoredDelivery } from "./delivery-item.ts";
import { eventItem, type StoredEvent } from "./event-item.ts";
import { wakeForEvent } from "./run-event.ts";

/** Writes a ping and its one delivery, and wakes the worker. */
export async function putPing(db: Db, event: StoredEvent, delivery: StoredDelivery): Promise<void> {
  await transact(db, () => [
    { Put: { TableName: db.tables.outbox, Item: eventItem(event) } },
    { Put: { TableName: db.tables.outbox, Item: deliveryItem(delivery) } },
  ]);
  await wakeForEvent(db, event);
}
