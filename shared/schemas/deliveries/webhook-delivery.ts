import * as v from "valibot";
import { SentEventType } from "./event-type.ts";

/**
 *   pending    not accepted yet; it is tried again
 *   delivered  the receiver answered 2xx
 *   failed     every try failed, or a further one cannot succeed
 *   skipped    there is no subscriber any more: the endpoint or the run is gone
 */
export const deliveryStatuses = ["pending", "delivered", "failed", "skipped"] as const;
export const DeliveryStatus = v.picklist(deliveryStatuses);
export type DeliveryStatus = v.InferOutput<typeof DeliveryStatus>;

/**
 * What is delivered:
 *   callback   the receiver that a run names, or its component or the instance
 *   endpoint   a registered receiver
 *   event_bus  the event bus of the instance
 *   push       a client of A2A that asked to be notified of its task
 *   task       the task of Step Functions that waits for a run
 */
export const targetNames = ["callback", "endpoint", "event_bus", "push", "task"] as const;
export const TargetName = v.picklist(targetNames);
export type TargetName = v.InferOutput<typeof TargetName>;

/** One try to send a message. */
export const DeliveryAttempt = v.object({
  /** Epoch seconds. */
  at: v.number(),
  /** From the first byte that was sent to the end of the answer. */
  duration_ms: v.number(),
  response_status: v.nullable(v.number()),
  /** The beginning of the answer, at most 1 KB. */
  response: v.nullable(v.string()),
  /** Why there is no answer. */
  error: v.nullable(v.string()),
});
export type DeliveryAttempt = v.InferOutput<typeof DeliveryAttempt>;

/** One event for one receiver. What was said in a run is not stored with it. */
export const WebhookDelivery = v.object({
  id: v.string(),
  /** The `webhook-id` of its messages: the same in every try. */
  event_id: v.string(),
  type: SentEventType,
  target: TargetName,
  /** Null for anything but an endpoint. */
  endpoint_id: v.nullable(v.string()),
  /** Null for what is not about a run. */
  run_id: v.nullable(v.string()),
  session_id: v.nullable(v.string()),
  user_id: v.nullable(v.string()),
  /** Host of the receiver, or the name of the bus; paths of addresses may hold secrets. */
  host: v.string(),
  status: DeliveryStatus,
  /** Why it failed or was skipped. */
  reason: v.nullable(v.string()),
  tries: v.number(),
  /** The last ones, the newest last. */
  attempts: v.array(DeliveryAttempt),
  /** When it is tried next, epoch seconds. */
  next_try_at: v.nullable(v.number()),
  created_at: v.number(),
  updated_at: v.number(),
});
export type WebhookDelivery = v.InferOutput<typeof WebhookDelivery>;
