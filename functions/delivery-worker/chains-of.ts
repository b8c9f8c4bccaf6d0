import type { StoredDelivery } from "../../shared/stores/outbox/delivery-item.ts";

/** Deliveries to one receiver that are not over, in the order of their events; never empty. */
export type Chain = readonly [StoredDelivery, ...StoredDelivery[]];

/** @param deliveries  of one subject, those of one receiver in the order of their events */
export function chainsOf(deliveries: readonly StoredDelivery[]): Chain[] {
  const chains = new Map<string, [StoredDelivery, ...StoredDelivery[]]>();
  for (const delivery of deliveries) {
    if (delivery.status !== "pending") continue;
    const chain = chains.get(delivery.target.id);
    if (chain) chain.push(delivery);
    else chains.set(delivery.target.id, [delivery]);
  }
  return [...chains.values()];
}
