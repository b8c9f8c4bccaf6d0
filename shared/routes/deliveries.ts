import * as v from "valibot";
import { DeliveryStatus, WebhookDelivery } from "../schemas/deliveries/webhook-delivery.ts";
import {
  CallbackSecret,
  CreateEndpointBody,
  EndpointWithSecret,
  RotateSecretBody,
  UpdateEndpointBody,
  WebhookEndpoint,
} from "../schemas/deliveries/webhook-endpoint.ts";
import { meaning } from "../schemas/values/described-as.ts";
import { optionalText } from "../schemas/values/fields.ts";
import { pageOf, pageQuery } from "../schemas/values/page.ts";
import { idOf } from "../schemas/values/path-ids.ts";
import { only } from "../schemas/values/query-fields.ts";
import type { RouteTable } from "./route.ts";

const EndpointParams = v.object({ endpoint_id: idOf("the endpoint") });
const DeliveryParams = v.object({ delivery_id: idOf("the delivery") });

/** Receivers of events, and what became of the messages to them. All of it is ours. */
export const deliveryRoutes = {
  createWebhookEndpoint: {
    method: "POST",
    path: "/webhook-endpoints",
    scopes: ["webhooks:write"],
    body: { json: CreateEndpointBody },
    status: 201,
    response: EndpointWithSecret,
    refuses: [400, 409],
    example: {
      body: {
        url: "https://erp.example/hooks/agents",
        description: "Order desk",
        events: ["run.completed", "run.failed"],
        components: [{ type: "agent", id: "assistant" }],
      },
    },
    summary: "Register a receiver of events; its secret is shown this once",
    description:
      "Messages are signed as Standard Webhooks say. An endpoint receives the events of its owner's runs, or with audience=everybody those of all users. One owner has 50 at most.",
  },
  listWebhookEndpoints: {
    method: "GET",
    path: "/webhook-endpoints",
    scopes: ["webhooks:read"],
    query: v.object(pageQuery(100)),
    response: pageOf(WebhookEndpoint),
    summary: "List receivers of events, the newest first: the caller's own; an admin sees all",
  },
  getWebhookEndpoint: {
    method: "GET",
    path: "/webhook-endpoints/{endpoint_id}",
    scopes: ["webhooks:read"],
    params: EndpointParams,
    response: WebhookEndpoint,
    summary: "Show one receiver",
  },
  updateWebhookEndpoint: {
    method: "PATCH",
    path: "/webhook-endpoints/{endpoint_id}",
    scopes: ["webhooks:write"],
    params: EndpointParams,
    body: { json: UpdateEndpointBody },
    response: WebhookEndpoint,
    example: { body: { enabled: true } },
    summary: "Change a receiver: its address, its events, and whether it is enabled",
  },
  removeWebhookEndpoint: {
    method: "DELETE",
    path: "/webhook-endpoints/{endpoint_id}",
    scopes: ["webhooks:delete"],
    params: EndpointParams,
    status: 204,
    response: null,
    summary: "Delete a receiver; what is still to be sent to it is skipped",
  },
  rotateWebhookSecret: {
    method: "POST",
    path: "/webhook-endpoints/{endpoint_id}/rotate-secret",
    scopes: ["webhooks:write"],
    params: EndpointParams,
    body: { json: RotateSecretBody },
    response: EndpointWithSecret,
    refuses: [400, 409],
    example: { body: { overlap_seconds: 86400 } },
    summary: "Give a receiver a new secret, shown this once; messages are signed with both for a while",
  },
  testWebhookEndpoint: {
    method: "POST",
    path: "/webhook-endpoints/{endpoint_id}/test",
    scopes: ["webhooks:write"],
    params: EndpointParams,
    status: 202,
    response: WebhookDelivery,
    refuses: [400],
    summary: "Send a ping to a receiver, also to a disabled one",
  },
  listWebhookDeliveries: {
    method: "GET",
    path: "/webhook-deliveries",
    scopes: ["webhooks:read"],
    query: v.object({
      run_id: only(optionalText(), "run"),
      endpoint_id: only(optionalText(), "receiver; callback for the callbacks of runs"),
      status: meaning(v.optional(DeliveryStatus), "Only those that stand like this"),
      ...pageQuery(100),
    }),
    response: pageOf(WebhookDelivery),
    refuses: [400],
    example: { query: { status: "pending" } },
    summary: "List what was sent to receivers, the newest first, with every try and its answer",
  },
  getWebhookDelivery: {
    method: "GET",
    path: "/webhook-deliveries/{delivery_id}",
    scopes: ["webhooks:read"],
    params: DeliveryParams,
    response: WebhookDelivery,
    summary: "Show one delivery",
  },
  redeliverWebhook: {
    method: "POST",
    path: "/webhook-deliveries/{delivery_id}/redeliver",
    scopes: ["webhooks:write"],
    params: DeliveryParams,
    status: 202,
    response: WebhookDelivery,
    refuses: [400, 409],
    summary: "Send a message once more, with the same id; its tries are counted anew",
  },
  getCallbackSecret: {
    method: "GET",
    path: "/webhook-callback-secret",
    scopes: ["webhooks:write"],
    response: CallbackSecret,
    refuses: [400],
    summary: "Show the secret that signs the callbacks of the caller's runs",
  },
  rotateCallbackSecret: {
    method: "POST",
    path: "/webhook-callback-secret/rotate",
    scopes: ["webhooks:write"],
    body: { json: RotateSecretBody },
    response: CallbackSecret,
    refuses: [400],
    example: { body: { overlap_seconds: 86400 } },
    summary: "Replace the secret that signs the callbacks of the caller's runs; both sign for a while",
  },
} as const satisfies RouteTable;
