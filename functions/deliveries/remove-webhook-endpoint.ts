import { notFound } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { deliveryRoutes } from "../../shared/routes/deliveries.ts";
import { removeEndpoint } from "../../shared/stores/outbox/index.ts";
import type { DeliveriesDeps } from "./deliveries-deps.ts";
import { subscribingCaller } from "./subscribing-caller.ts";
import { visibleEndpoint } from "./visible-endpoint.ts";

type Needs = Pick<DeliveriesDeps, "db">;

export const removeWebhookEndpoint: Handler<typeof deliveryRoutes.removeWebhookEndpoint, Needs> = async (
  { params, principal },
  { db },
) => {
  const endpoint = await visibleEndpoint(db, subscribingCaller(principal), params.endpoint_id);
  if (!(await removeEndpoint(db, endpoint))) throw notFound("webhook endpoint", params.endpoint_id);
  return undefined;
};
