import { notFound } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import { requireReceiver } from "../../shared/outbound/index.ts";
import type { deliveryRoutes } from "../../shared/routes/deliveries.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { changeEndpointOnRequest, wireEndpoint } from "../../shared/stores/outbox/index.ts";
import type { DeliveriesDeps } from "./deliveries-deps.ts";
import { subscribingCaller } from "./subscribing-caller.ts";
import { visibleEndpoint } from "./visible-endpoint.ts";

type Needs = Pick<DeliveriesDeps, "db" | "clock" | "settings">;

/** Whose events it receives stays: another audience is another endpoint. */
export const updateWebhookEndpoint: Handler<typeof deliveryRoutes.updateWebhookEndpoint, Needs> = async (
  { params, body, principal },
  { db, clock, settings },
) => {
  const { id } = await visibleEndpoint(db, subscribingCaller(principal), params.endpoint_id);
  const url = body.url && requireReceiver(body.url, settings.FETCH_ALLOWED_HOSTS, "url");
  // What is not given stays; undefined would remove it.
  const given = Object.fromEntries(
    Object.entries({ ...body, url }).filter(([, value]) => value !== undefined),
  );
  const changed = await changeEndpointOnRequest(db, id, {
    ...given,
    ...(body.enabled && { disabled_reason: null, failing_since: null }),
    updated_at: epochSeconds(clock),
  });
  if (!changed) throw notFound("webhook endpoint", id);
  return wireEndpoint(changed);
};
