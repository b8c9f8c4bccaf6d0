import { httpOptionsFrom } from "../../shared/http/http-options.ts";
import { serve } from "../../shared/http/serve.ts";
import { connectSigningRoots } from "../../shared/outbound/signing-keys.ts";
import { deliveryWaker } from "../../shared/queue/delivery-queue.ts";
import { deliveryRoutes } from "../../shared/routes/deliveries.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { newId } from "../../shared/runtime/ids.ts";
import { deliveriesEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { connectDb } from "../../shared/stores/db.ts";
import { createWebhookEndpoint } from "./create-webhook-endpoint.ts";
import type { DeliveriesDeps } from "./deliveries-deps.ts";
import { getCallbackSecret } from "./get-callback-secret.ts";
import { getWebhookDelivery } from "./get-webhook-delivery.ts";
import { getWebhookEndpoint } from "./get-webhook-endpoint.ts";
import { listWebhookDeliveries } from "./list-webhook-deliveries.ts";
import { listWebhookEndpoints } from "./list-webhook-endpoints.ts";
import { redeliverWebhook } from "./redeliver-webhook.ts";
import { removeWebhookEndpoint } from "./remove-webhook-endpoint.ts";
import { rotateCallbackSecret } from "./rotate-callback-secret.ts";
import { rotateWebhookSecret } from "./rotate-webhook-secret.ts";
import { testWebhookEndpoint } from "./test-webhook-endpoint.ts";
import { updateWebhookEndpoint } from "./update-webhook-endpoint.ts";

const env = readEnv(deliveriesEnv);
const deps: DeliveriesDeps = {
  db: connectDb(env, deliveryWaker(env.DELIVERY_QUEUE_URL)),
  // Read only where webhooks are on.
  signingRoots: connectSigningRoots(env.WEBHOOK_SECRET ?? "", systemClock),
  clock: systemClock,
  newId,
  settings: env,
};

export const handler = serve(
  deliveryRoutes,
  {
    createWebhookEndpoint,
    listWebhookEndpoints,
    getWebhookEndpoint,
    updateWebhookEndpoint,
    removeWebhookEndpoint,
    rotateWebhookSecret,
    testWebhookEndpoint,
    listWebhookDeliveries,
    getWebhookDelivery,
    redeliverWebhook,
    getCallbackSecret,
    rotateCallbackSecret,
  },
  deps,
  httpOptionsFrom(env),
);
