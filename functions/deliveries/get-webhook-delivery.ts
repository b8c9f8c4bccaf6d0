import type { Handler } from "../../shared/http/handler.ts";
import type { deliveryRoutes } from "../../shared/routes/deliveries.ts";
import { wireDelivery } from "../../shared/stores/outbox/index.ts";
import type { DeliveriesDeps } from "./deliveries-deps.ts";
import { subscribingCaller } from "./subscribing-caller.ts";
import { visibleDelivery } from "./visible-delivery.ts";

type Needs = Pick<DeliveriesDeps, "db">;

export const getWebhookDelivery: Handler<typeof deliveryRoutes.getWebhookDelivery, Needs> = async (
  { params, principal },
  { db },
) => wireDelivery(await visibleDelivery(db, subscribingCaller(principal), params.delivery_id));
