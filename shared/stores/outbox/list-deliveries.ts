import { exists, isNew, present, putItem, transact, updateItem, type Write } from "../../data/index.ts";
import type { DeliveryStatus } from "../../schemas/deliveries/webhook-delivery.ts";
import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import { allPartitions, ownerPartition } from "../index-keys.ts";
import { rowsByCreation } from "../listing/listed-rows.ts";
import type { Indexed } from "../listing/listing.ts";
import { type DeliveryRow, deliveryFrom, deliveryItem, type StoredDelivery } from "./delivery-item.ts";
import type { StoredEvent } from "./event-item.ts";
import { eventKey, partitionsOfRun } from "./outbox-keys.ts";

const indexedDeliveries: Indexed<DeliveryRow> = { table: "outbox", plural: "deliveries" };

export type DeliveryFilter = {
  /** Whose; everybody's when absent. */
  readonly owner?: string | null | undefined;
  readonly run_id?: string | undefined;
  readonly endpoint_id?: string | undefined;
  readonly status?: DeliveryStatus | undefined;
};

/** One page of deliveries, the newest first, and how many match. Reads the items of the page alone. */
export async function listDeliveries(
  db: Db,
  { owner, run_id, endpoint_id, status }: DeliveryFilter,
  { page, limit }: { readonly page: number; readonly limit: number },
): Promise<{ readonly deliveries: StoredDelivery[]; readonly total: number }> {
  const ofRun = run_id === undefined ? undefined : partitionsOfRun(run_id);
  const rows = await rowsByCreation(
    db,
    indexedDeliveries,
    owner === undefined ? allPartitions() : [ownerPartition(owner)],
    {
      forward: false,
      need: Number.POSITIVE_INFINITY,
      matches: (row) =>
        (ofRun === undefined || ofRun.includes(row.pk)) &&
        (endpoint_id === undefined || row.target_id === endpoint_id) &&
        (status === undefined || row.status === status),
    },
  );
  const shown = rows.slice((page - 1) * limit, page * limit);
  const items = await batchGet(
    db,
    db.tables.outbox,
    shown.map(({ pk, sk }) => ({ pk, sk })),
  );
  const found = new Map(items.map((item) => [`${item.pk}#${item.sk}`, deliveryFrom(item)]));
  const deliveries = shown.flatMap(({ pk, sk }) => found.get(`${pk}#${sk}`) ?? []);
  return { deliveries, total: rows.length };
}

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
