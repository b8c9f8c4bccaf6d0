import type { Handler } from "../../shared/http/handler.ts";
import type { deliveryRoutes } from "../../shared/routes/deliveries.ts";
import { pageMeta } from "../../shared/schemas/values/page.ts";
import { listEndpoints, listEndpointsOf, wireEndpoint } from "../../shared/stores/outbox/index.ts";
import type { DeliveriesDeps } from "./deliveries-deps.ts";
import { subscribingCaller } from "./subscribing-caller.ts";

type Needs = Pick<DeliveriesDeps, "db" | "clock">;

export const listWebhookEndpoints: Handler<typeof deliveryRoutes.listWebhookEndpoints, Needs> = async (
  { query: { page, limit }, principal },
  { db, clock },
) => {
  const startedAt = clock.now();
  const caller = subscribingCaller(principal);
  const found = caller.seesAll ? await listEndpoints(db) : await listEndpointsOf(db, caller.user_id);
  return {
    data: found.slice((page - 1) * limit, page * limit).map(wireEndpoint),
    meta: pageMeta(page, limit, found.length, clock.now() - startedAt),
  };
};
