import { putItem, transact } from "../../data/index.ts";
import type { Db } from "../db.ts";
import { putEvent, wakeForEvent } from "./change-event.ts";
import { deliveryItem, type StoredDelivery } from "./delivery-item.ts";
import type { StoredEvent } from "./event-item.ts";

/** Writes a ping and its one delivery, and wakes the worker. */
export async function putPing(db: Db, event: StoredEvent, delivery: StoredDelivery): Promise<void> {
  await transact(db, { event: putEvent(event), delivery: putItem("outbox", deliveryItem(delivery)) });
  await wakeForEvent(db, event);
}
