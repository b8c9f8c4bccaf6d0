import type { DeliveryStatus } from "../../schemas/deliveries/webhook-delivery.ts";
import { batchGet } from "../batch-get.ts";
import type { Db } from "../db.ts";
import { allPartitions, ownerPartition } from "../listing/index-keys.ts";
import type { Indexed } from "../listing/listing.ts";
import { rowsByCreation } from "../listing/rows-by-creation.ts";
import { type DeliveryRow, deliveryFrom, type StoredDelivery } from "./delivery-item.ts";
import { partitionsOfRun } from "./outbox-keys.ts";

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
