import type { Handler } from "../../shared/http/handler.ts";
import type { deliveryRoutes } from "../../shared/routes/deliveries.ts";
import { pageMeta } from "../../shared/schemas/values/page.ts";
import { listDeliveries, wireDelivery } from "../../shared/stores/outbox/index.ts";
import type { DeliveriesDeps } from "./deliveries-deps.ts";
import { subscribingCaller } from "./subscribing-caller.ts";

type Needs = Pick<DeliveriesDeps, "db" | "clock">;

export const listWebhookDeliveries: Handler<typeof deliveryRoutes.listWebhookDeliveries, Needs> = async (
  { query, principal },
  { db, clock },
) => {
  const { page, limit, ...filter } = query;
  const startedAt = clock.now();
  const caller = subscribingCaller(principal);
  const wanted = { ...filter, ...(!caller.seesAll && { owner: caller.user_id }) };
  const { deliveries, total } = await listDeliveries(db, wanted, { page, limit });
  return {
    data: deliveries.map(wireDelivery),
    meta: pageMeta(page, limit, total, clock.now() - startedAt),
  };
};
