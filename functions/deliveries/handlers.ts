// Generated from the route table by `npm run routes`; do not edit.
export { createWebhookEndpoint } from "./create-webhook-endpoint.ts";
export { getCallbackSecret } from "./get-callback-secret.ts";
export { getWebhookDelivery } from "./get-webhook-delivery.ts";
export { getWebhookEndpoint } from "./get-webhook-endpoint.ts";
export { listWebhookDeliveries } from "./list-webhook-deliveries.ts";
export { listWebhookEndpoints } from "./list-webhook-endpoints.ts";
export { redeliverWebhook } from "./redeliver-webhook.ts";
export { removeWebhookEndpoint } from "./remove-webhook-endpoint.ts";
export { rotateCallbackSecret } from "./rotate-callback-secret.ts";
export { rotateWebhookSecret } from "./rotate-webhook-secret.ts";
export { testWebhookEndpoint } from "./test-webhook-endpoint.ts";
export { updateWebhookEndpoint } from "./update-webhook-endpoint.ts";
