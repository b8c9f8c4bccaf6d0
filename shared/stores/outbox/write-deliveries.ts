import { exists, isNew, present } from "../../data/guard.ts";
import { transact } from "../../data/transact.ts";
import { putItem, updateItem, type Write } from "../../data/writes.ts";
import type { Db } from "../db.ts";
import { deliveryItem, type StoredDelivery } from "./delivery-item.ts";
import type { StoredEvent } from "./event-item.ts";
import { eventKey } from "./outbox-keys.ts";

/** Most deliveries of one transaction, which also has the event. */
const AT_A_TIME = 50;

/**
 * Writes the deliveries of an event. The last of them are written with the event's own change, so that an event is due
 * until all are there.
 *
 * @returns whether they are written: false when another worker was faster with some
 */
export async function writeDeliveries(
  db: Db,
  event: StoredEvent,
  deliveries: readonly StoredDelivery[],
): Promise<boolean> {
  const writes = deliveries.map((delivery) => putItem("outbox", deliveryItem(delivery), isNew));
  for (let from = 0; from < writes.length - AT_A_TIME; from += AT_A_TIME) {
    const { written } = await transact(db, { deliveries: writes.slice(from, from + AT_A_TIME) });
    if (!written) return false;
  }
  const rest = writes.length % AT_A_TIME || Math.min(writes.length, AT_A_TIME);
  const last = writes.slice(writes.length - rest);
  const { written } = await transact(db, { deliveries: last, event: closed(event) });
  return written;
}

/** An event that was removed with its session is not written again. */
const closed = (event: StoredEvent): Write =>
  updateItem("outbox", eventKey(event.subject, event.order), {
    remove: ["due_at", "due_shard", "due"],
    guard: [exists, { due: present }],
  });
