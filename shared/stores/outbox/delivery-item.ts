import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import type { Item } from "../../data/index.ts";
import { MAX_TRIES } from "../../domain/deliveries/plan-try.ts";
import {
  DeliveryAttempt,
  DeliveryStatus,
  TargetName,
  type WebhookDelivery,
} from "../../schemas/deliveries/webhook-delivery.ts";
import { defineWork } from "../../work/index.ts";
import type { Db } from "../db.ts";
import { indexKeys } from "../index-keys.ts";
import { StoredEvent } from "./event-item.ts";
import { deliveryId, deliveryKey, outboxDue, placeOfDelivery } from "./outbox-keys.ts";

/** Version of the stored shape; raised with every change of it. */
export const DELIVERY_SHAPE = 3;

/** Attempts that are kept: redelivering one again and again must not fill its item. */
export const KEPT_ATTEMPTS = 20;

/** One event for one receiver. */
export const StoredDelivery = v.object({
  /** As its event has them. */
  ...v.pick(StoredEvent, ["type", "subject", "order", "expires_at"]).entries,
  event_id: v.string(),
  session_id: v.nullable(v.string()),
  /** Which kind of receiver, and which one. */
  target: v.object({ kind: TargetName, id: v.string() }),
  /** Who may see it; null for what only those see who see everything. */
  user_id: v.nullable(v.string()),
  host: v.string(),
  status: DeliveryStatus,
  reason: v.optional(v.string()),
  /** Tries that were begun, since it was last asked for: a process may die within one. */
  tries: v.number(),
  attempts: v.array(DeliveryAttempt),
  lease_by: v.optional(v.string()),
  /** Epoch seconds. */
  lease_until: v.optional(v.number()),
  /** When it is tried, epoch seconds; absent at the end. */
  due_at: v.optional(v.number()),
  created_at: v.number(),
  updated_at: v.number(),
});
export type StoredDelivery = v.InferOutput<typeof StoredDelivery>;

type DeliveryRef = Pick<StoredDelivery, "subject" | "order"> & { readonly target: { readonly id: string } };

export const idOfDelivery = ({ subject, target, order }: DeliveryRef) =>
  deliveryId(subject, target.id, order);

/** What lists filter by. */
export type DeliveryRow = {
  readonly pk: string;
  readonly sk: string;
  readonly opened: string;
  readonly status: StoredDelivery["status"];
  readonly target_id: string;
};

export const deliveryItem = (delivery: StoredDelivery): Item => ({
  ...deliveryKey(delivery.subject, delivery.target.id, delivery.order),
  ...delivery,
  target_id: delivery.target.id,
  ...indexKeys({
    id: idOfDelivery(delivery),
    user_id: delivery.user_id,
    created_at: delivery.created_at,
  }),
  ...(delivery.due_at !== undefined && outboxDue.keys(delivery, delivery.due_at)),
  shape: DELIVERY_SHAPE,
});

/** @throws when the item is not a delivery of a shape that this code reads */
export const deliveryFrom = (item: Item): StoredDelivery => v.parse(StoredDelivery, item);

/** The delivery as the wire shows it. */
export const wireDelivery = (delivery: StoredDelivery): WebhookDelivery => ({
  id: idOfDelivery(delivery),
  event_id: delivery.event_id,
  type: delivery.type,
  target: delivery.target.kind,
  endpoint_id: delivery.target.kind === "endpoint" ? delivery.target.id : null,
  // The job of a run has the run's id.
  run_id: delivery.subject.kind === "run" || delivery.subject.kind === "job" ? delivery.subject.id : null,
  session_id: delivery.session_id,
  user_id: delivery.user_id,
  host: delivery.host,
  status: delivery.status,
  reason: delivery.reason ?? null,
  tries: delivery.tries,
  attempts: delivery.attempts,
  next_try_at: delivery.due_at ?? null,
  created_at: delivery.created_at,
  updated_at: delivery.updated_at,
});

/** A consistent read. @returns undefined also for a text that is no id of a delivery */
export async function getDelivery(db: Db, id: string): Promise<StoredDelivery | undefined> {
  const place = placeOfDelivery(id);
  if (!place) return undefined;
  const { Item } = await db.client.send(
    new GetCommand({
      TableName: db.tables.outbox,
      Key: deliveryKey(place.subject, place.target, place.order),
      ConsistentRead: true,
    }),
  );
  return Item && deliveryFrom(Item);
}

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
