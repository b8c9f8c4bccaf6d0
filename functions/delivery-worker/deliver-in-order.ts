import {
  deliveryWork,
  type StoredDelivery,
  type StoredEvent,
  subjectPartition,
} from "../../shared/stores/outbox/index.ts";
import type { DeliveryWorkerDeps } from "./delivery-worker-deps.ts";
import { tryDelivery } from "./try-delivery.ts";

/** Longest delay that SQS accepts; the sweeper wakes what is due later. */
const MAX_DELAY_SECONDS = 900;

/**
 * Sends deliveries to one receiver one after the other. A later one waits until the earlier one is over: delivered, failed
 * for good, or skipped.
 *
 * @returns whether all of them are over
 */
export async function deliverInOrder(
  deps: DeliveryWorkerDeps,
  events: readonly StoredEvent[],
  chain: Chain,
): Promise<boolean> {
  for (const [index, delivery] of chain.entries()) {
    const event = events.find(({ order }) => order === delivery.order);
    const next = await tryDelivery(deps, delivery, event);
    if (next === "over") continue;
    if (next !== "busy") await waitFor(deps, chain.slice(index), next);
    return false;
  }
  return true;
}

/** Wakes the receiver's deliveries when the first is due; those behind it would get a wake-up for nothing before. */
async function waitFor(
  { db, queue }: DeliveryWorkerDeps,
  [first, ...behind]: readonly StoredDelivery[],
  { due_at, afterSeconds }: { readonly due_at: number; readonly afterSeconds: number },
): Promise<void> {
  if (!first) return;
  for (const later of behind) await deliveryWork.change(db, later, { due: due_at }, deliveryWork.open);
  if (afterSeconds > MAX_DELAY_SECONDS) return;
  await queue.send({ subject: subjectPartition(first.subject), target: first.target.id }, afterSeconds);
}

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
