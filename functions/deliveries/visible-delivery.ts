import type { Caller } from "../../shared/auth/caller.ts";
import { notFound } from "../../shared/errors.ts";
import type { Db } from "../../shared/stores/db.ts";
import { getDelivery, type StoredDelivery } from "../../shared/stores/outbox/index.ts";

/**
 * A delivery that the caller may see: its own, or any for callers who receive all users' events.
 *
 * @throws ServiceError NOT_FOUND, with one text for every cause
 */
export async function visibleDelivery(db: Db, caller: Caller, id: string): Promise<StoredDelivery> {
  const delivery = await getDelivery(db, id);
  if (!delivery || !(caller.seesAll || delivery.user_id === caller.user_id))
    throw notFound("webhook delivery", id);
  return delivery;
}
