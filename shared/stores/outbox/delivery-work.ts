import { MAX_TRIES } from "../../domain/deliveries/plan-try.ts";
import { defineWork } from "../../work/define-work.ts";
import { deliveryFrom, type StoredDelivery } from "./delivery-item.ts";
import { deliveryKey, outboxDue } from "./outbox-keys.ts";

type DeliveryRef = Pick<StoredDelivery, "subject" | "order"> & { readonly target: { readonly id: string } };

/**
 * One event for one receiver. A message takes ten seconds at most, so a try ends within its lease. When it is tried again
 * follows from the receiver's answer. What is due in the outbox gets a message by its subject, also where it is no delivery.
 */
export const deliveryWork = defineWork({
  kind: "delivery",
  table: "outbox",
  keyOf: ({ subject, target, order }: DeliveryRef) => deliveryKey(subject, target.id, order),
  read: deliveryFrom,
  open: { status: "pending" },
  lease: { holder: "lease_by", time: "lease_until", seconds: 30, renewals: 0, settlingSeconds: 5 },
  retry: { stalls: "tries", stallsOf: ({ tries }) => tries, most: MAX_TRIES },
  due: outboxDue,
  message: ({ pk }) => ({ subject: String(pk) }),
});
