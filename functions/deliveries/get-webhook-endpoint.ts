import type { Handler } from "../../shared/http/handler.ts";
import type { deliveryRoutes } from "../../shared/routes/deliveries.ts";
import { wireEndpoint } from "../../shared/stores/outbox/index.ts";
import type { DeliveriesDeps } from "./deliveries-deps.ts";
import { subscribingCaller } from "./subscribing-caller.ts";
import { visibleEndpoint } from "./visible-endpoint.ts";

type Needs = Pick<DeliveriesDeps, "db">;

export const getWebhookEndpoint: Handler<typeof deliveryRoutes.getWebhookEndpoint, Needs> = async (
  { params, principal },
  { db },
) => wireEndpoint(await visibleEndpoint(db, subscribingCaller(principal), params.endpoint_id));
