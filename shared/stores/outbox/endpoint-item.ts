import * as v from "valibot";
import type { Item } from "../../data/item.ts";
import { WebhookEndpoint } from "../../schemas/deliveries/webhook-endpoint.ts";
import { openedKey } from "../listing/index-keys.ts";

/** Version of the stored shape; raised with every change of it. */
export const ENDPOINT_SHAPE = 2;

/** A standing receiver. Its secret is derived, so none is stored. */
export const StoredEndpoint = v.object({
  ...v.omit(WebhookEndpoint, ["previous_secret_until"]).entries,
  /** Which of its keys is the newest; each rotation counts one up. */
  generation: v.number(),
  /** Epoch seconds; until then the key before is valid too. */
  previous_until: v.optional(v.number()),
});
export type StoredEndpoint = v.InferOutput<typeof StoredEndpoint>;

export const endpointKey = (id: string) => ({
  pk: `endpoint#${encodeURIComponent(id)}`,
  sk: "endpoint",
});

/** How many endpoints an owner has. */
export const endpointCountKey = (owner: string | null) => ({
  pk: `endpoints-of#${encodeURIComponent(owner ?? "")}`,
  sk: "endpoints",
});

/** Partition of the index over everybody's records that has all endpoints. They are few. */
export const ALL_ENDPOINTS = "endpoints";

/** Partition of the index by owner with the endpoints that hear the events of one user, or those of everybody. */
export const subscriberPartition = (of: "everybody" | { readonly owner: string | null }): string =>
  of === "everybody" ? "endpoints-everybody" : `endpoints-own#${encodeURIComponent(of.owner ?? "")}`;

export const endpointItem = (endpoint: StoredEndpoint): Item => ({
  ...endpointKey(endpoint.id),
  ...endpoint,
  owner_key: subscriberPartition(
    endpoint.audience === "everybody" ? "everybody" : { owner: endpoint.user_id },
  ),
  all_key: ALL_ENDPOINTS,
  opened: openedKey(endpoint.created_at, endpoint.id),
  shape: ENDPOINT_SHAPE,
});

/** @throws when the item is not an endpoint of a shape that this code reads */
export const endpointFrom = (item: Item): StoredEndpoint => v.parse(StoredEndpoint, item);

/** The endpoint as the wire shows it. */
export const wireEndpoint = ({ previous_until, ...endpoint }: StoredEndpoint): WebhookEndpoint =>
  v.parse(WebhookEndpoint, { ...endpoint, previous_secret_until: previous_until ?? null });
