import { ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import { newestSecret } from "../../shared/outbound/index.ts";
import type { deliveryRoutes } from "../../shared/routes/deliveries.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { changeEndpointOnRequest, wireEndpoint } from "../../shared/stores/outbox/index.ts";
import type { DeliveriesDeps } from "./deliveries-deps.ts";
import { requireWebhooks } from "./require-webhooks.ts";
import { subscribingCaller } from "./subscribing-caller.ts";
import { visibleEndpoint } from "./visible-endpoint.ts";

type Needs = Pick<DeliveriesDeps, "db" | "clock" | "signingRoots">;

/** @throws ServiceError CONFLICT where another request rotates it at the same moment */
export const rotateWebhookSecret: Handler<typeof deliveryRoutes.rotateWebhookSecret, Needs> = async (
  { params, body, principal },
  { db, clock, signingRoots },
) => {
  requireWebhooks(db);
  const { id, generation } = await visibleEndpoint(db, subscribingCaller(principal), params.endpoint_id);
  const now = epochSeconds(clock);
  const roots = await signingRoots();
  const change = {
    generation: generation + 1,
    previous_until: now + body.overlap_seconds,
    updated_at: now,
  };
  const changed = await changeEndpointOnRequest(db, id, change, generation);
  if (!changed) throw new ServiceError("CONFLICT", "the endpoint was changed or deleted at the same moment");
  return { ...wireEndpoint(changed), secret: newestSecret(roots, { endpoint_id: id }, changed) };
};
