import { SUBSCRIBE_TO_ALL } from "../../shared/auth/scopes/may-subscribe-to-all.ts";
import { ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import { newestSecret, requireReceiver } from "../../shared/outbound/index.ts";
import type { deliveryRoutes } from "../../shared/routes/deliveries.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import {
  createEndpoint,
  MAX_ENDPOINTS,
  type StoredEndpoint,
  wireEndpoint,
} from "../../shared/stores/outbox/index.ts";
import type { DeliveriesDeps } from "./deliveries-deps.ts";
import { requireWebhooks } from "./require-webhooks.ts";
import { subscribingCaller } from "./subscribing-caller.ts";

/** @throws ServiceError UNAUTHORIZED for callers who may not receive all users' events, CONFLICT where the owner has too many */
export const createWebhookEndpoint: Handler<
  typeof deliveryRoutes.createWebhookEndpoint,
  DeliveriesDeps
> = async ({ body, principal }, { db, signingRoots, clock, newId, settings }) => {
  requireWebhooks(db);
  const caller = subscribingCaller(principal);
  if (body.audience === "everybody" && !caller.seesAll) {
    throw new ServiceError(
      "UNAUTHORIZED",
      `audience=everybody takes an admin or the scope ${SUBSCRIBE_TO_ALL}; leave it out to receive the events of your own runs`,
    );
  }
  const url = requireReceiver(body.url, settings.FETCH_ALLOWED_HOSTS, "url");
  const endpoint: StoredEndpoint = {
    ...body,
    url,
    id: newId(),
    user_id: caller.user_id,
    disabled_reason: null,
    failing_since: null,
    generation: 1,
    created_at: epochSeconds(clock),
    updated_at: null,
  };
  const roots = await signingRoots();
  if (!(await createEndpoint(db, endpoint))) {
    throw new ServiceError("CONFLICT", `you have ${MAX_ENDPOINTS} endpoints already; delete one first`);
  }
  return { ...wireEndpoint(endpoint), secret: newestSecret(roots, { endpoint_id: endpoint.id }, endpoint) };
};
