import type { deliveryRoutes } from "../../routes/deliveries.ts";
import type { WebhookDelivery } from "../../schemas/deliveries/webhook-delivery.ts";
import type { WebhookEndpoint } from "../../schemas/deliveries/webhook-endpoint.ts";
import type { ExamplesOf } from "./example.ts";
import { pageWith } from "./page-with.ts";
import { pathExamples } from "./path-examples.ts";

const url = "https://erp.example/hooks/agents";

const endpoint: WebhookEndpoint = {
  id: pathExamples.endpoint_id,
  url,
  description: "Order desk",
  user_id: "maria",
  audience: "own",
  events: ["run.completed", "run.failed"],
  components: [{ type: "agent", id: "assistant" }],
  include_content: false,
  enabled: true,
  disabled_reason: null,
  failing_since: null,
  previous_secret_until: null,
  created_at: 1772615700,
  updated_at: null,
};

const delivery: WebhookDelivery = {
  id: pathExamples.delivery_id,
  event_id: "evt_5d0b7f1e-8a43-5c52-9a53-2b1c0f6f4d11",
  type: "run.completed",
  target: "endpoint",
  endpoint_id: pathExamples.endpoint_id,
  run_id: pathExamples.run_id,
  session_id: "support-4711",
  user_id: "maria",
  host: "erp.example",
  status: "delivered",
  reason: null,
  tries: 1,
  attempts: [{ at: 1772615730, duration_ms: 84, response_status: 204, response: "", error: null }],
  next_try_at: null,
  created_at: 1772615730,
  updated_at: 1772615730,
};

const secret = "whsec_…";

export const deliveryExamples: ExamplesOf<typeof deliveryRoutes> = {
  createWebhookEndpoint: {
    body: {
      url,
      description: "Order desk",
      events: ["run.completed", "run.failed"],
      components: [{ type: "agent", id: "assistant" }],
    },
    answer: { ...endpoint, secret },
  },
  listWebhookEndpoints: { answer: pageWith(endpoint) },
  getWebhookEndpoint: { answer: endpoint },
  updateWebhookEndpoint: { body: { enabled: true }, answer: { ...endpoint, updated_at: 1772619300 } },
  removeWebhookEndpoint: {},
  rotateWebhookSecret: {
    body: { overlap_seconds: 86_400 },
    answer: { ...endpoint, previous_secret_until: 1772705700, secret },
  },
  testWebhookEndpoint: {
    answer: {
      ...delivery,
      type: "ping",
      run_id: null,
      session_id: null,
      status: "pending",
      tries: 0,
      attempts: [],
      next_try_at: 1772615730,
    },
  },
  listWebhookDeliveries: { query: { status: "failed" }, answer: pageWith(delivery) },
  getWebhookDelivery: { answer: delivery },
  redeliverWebhook: { answer: { ...delivery, status: "pending", tries: 0, next_try_at: 1772619300 } },
  getCallbackSecret: { answer: { secret, previous_secret_until: null } },
  rotateCallbackSecret: {
    body: { overlap_seconds: 86_400 },
    answer: { secret, previous_secret_until: 1772705700 },
  },
};
