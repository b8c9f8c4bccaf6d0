import { exists, type Guard } from "../../data/guard.ts";
import { writeAndRead } from "../../data/write.ts";
import { updateItem } from "../../data/writes.ts";
import type { Db } from "../db.ts";
import { deliveryFrom, type StoredDelivery } from "./delivery-item.ts";
import { deliveryKey, dueKeys } from "./outbox-keys.ts";

/** What a write changes; `undefined` removes a field. */
export type DeliveryChange = {
  readonly [K in
    | "status"
    | "reason"
    | "tries"
    | "attempts"
    | "lease_by"
    | "lease_until"
    | "due_at"
    | "updated_at"]?: StoredDelivery[K] | undefined;
} & { readonly [K in keyof typeof unlistedKeys]?: undefined };

/** Takes a delivery out of lists; it is read by its id. */
export const unlistedKeys = { owner_key: undefined, all_key: undefined, opened: undefined } as const;

type Place = Pick<StoredDelivery, "subject" | "target" | "order">;

/** One conditional write to a delivery that is there. @returns the delivery after it; undefined if the guard does not hold */
export async function changeDelivery(
  db: Db,
  { subject, target, order }: Place,
  change: DeliveryChange,
  guard: Guard,
): Promise<StoredDelivery | undefined> {
  const due = "due_at" in change ? dueOf(subject, change.due_at) : {};
  const update = updateItem("outbox", deliveryKey(subject, target.id, order), {
    set: { ...change, ...due },
    guard: [exists, guard],
  });
  const result = await writeAndRead(db, update);
  return result.written ? deliveryFrom(result.item) : undefined;
}

const dueOf = (subject: StoredDelivery["subject"], dueAt: number | undefined) =>
  dueAt === undefined ? { due_shard: undefined, due: undefined } : dueKeys(subject, dueAt);
