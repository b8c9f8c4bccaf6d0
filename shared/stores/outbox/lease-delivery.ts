import { absentOr, below } from "../../data/guard.ts";
import type { Db } from "../db.ts";
import { changeDelivery, type DeliveryChange } from "./change-delivery.ts";
import type { StoredDelivery } from "./delivery-item.ts";

/**
 * How long one try may take, from its claim to its record. A message takes ten seconds at most.
 *
 *   lease  |------ 30 s ------|
 *   send      |-- 10 s --|
 *   due                       |-- 5 s --| the sweeper sends a wake-up, and another worker sends the message again
 */
export const DELIVERY_LEASE_SECONDS = 30;
const SETTLING_SECONDS = 5;

/**
 * Leases a delivery that is due and that no other worker has leased. The try counts from here, so that a message which
 * kills its worker is not tried for ever.
 *
 * @param now  epoch seconds
 * @returns    undefined if there is nothing to do for this worker
 */
export const leaseDelivery = (
  db: Db,
  delivery: StoredDelivery,
  worker: string,
  now: number,
): Promise<StoredDelivery | undefined> =>
  changeDelivery(
    db,
    delivery,
    {
      lease_by: worker,
      lease_until: now + DELIVERY_LEASE_SECONDS,
      due_at: now + DELIVERY_LEASE_SECONDS + SETTLING_SECONDS,
      tries: delivery.tries + 1,
    },
    { status: "pending", tries: delivery.tries, lease_until: absentOr(below(now)) },
  );

/** Records a try and releases the lease. @returns undefined when another worker has leased it by now */
export const releaseDelivery = (
  db: Db,
  delivery: StoredDelivery,
  worker: string,
  change: DeliveryChange,
): Promise<StoredDelivery | undefined> =>
  changeDelivery(
    db,
    delivery,
    { lease_by: undefined, lease_until: undefined, ...change },
    { lease_by: worker },
  );
