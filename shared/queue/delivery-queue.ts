import * as v from "valibot";
import { connectMessageQueue, type MessageQueue } from "./message-queue.ts";

/**
 * Names a subject with events or deliveries that are due, by its partition of the outbox. `target` is set where only one
 * of its receivers is meant. The outbox is the truth.
 */
export const DeliveryMessage = v.object({ subject: v.string(), target: v.optional(v.string()) });
export type DeliveryMessage = v.InferOutput<typeof DeliveryMessage>;

export type DeliveryQueue = MessageQueue<DeliveryMessage>;

/** The queue of wake-ups for deliveries. A lost or duplicate message does no harm. */
export const connectDeliveryQueue = (queueUrl: string): DeliveryQueue => connectMessageQueue(queueUrl);

/** Wakes the worker for whatever is due of a subject. */
export function deliveryWaker(queueUrl: string): (subject: string) => Promise<void> {
  const queue = connectDeliveryQueue(queueUrl);
  return (subject) => queue.send({ subject });
}
