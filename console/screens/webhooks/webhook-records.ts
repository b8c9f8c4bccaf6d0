import type { Operations } from "../../../client/index.ts";

export type Endpoint = Operations["listWebhookEndpoints"]["answer"]["data"][number];
export type EventType = Endpoint["events"][number];
export type Delivery = Operations["listWebhookDeliveries"]["answer"]["data"][number];

/** Begins the key of every list of endpoints. */
export const endpointsKey = ["webhook-endpoints"] as const;

/** Begins the key of every list of deliveries, and of each one. */
export const deliveriesKey = ["webhook-deliveries"] as const;
