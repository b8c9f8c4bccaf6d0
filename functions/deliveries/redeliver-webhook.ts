import { ServiceError } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { deliveryRoutes } from "../../shared/routes/deliveries.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { PING } from "../../shared/schemas/deliveries/event-type.ts";
import {
  deliveryWork,
  getEndpoint,
  subjectPartition,
  wireDelivery,
} from "../../shared/stores/outbox/index.ts";
import type { DeliveriesDeps } from "./deliveries-deps.ts";
import { requireWebhooks } from "./require-webhooks.ts";
import { subscribingCaller } from "./subscribing-caller.ts";
import { visibleDelivery } from "./visible-delivery.ts";

type Needs = Pick<DeliveriesDeps, "db" | "clock">;

/** @throws ServiceError CONFLICT while a worker sends it, and where its endpoint is disabled: it would be skipped */
export const redeliverWebhook: Handler<typeof deliveryRoutes.redeliverWebhook, Needs> = async (
  { params, principal },
  { db, clock },
) => {
  const delivery = await visibleDelivery(db, subscribingCaller(principal), params.delivery_id);
  if (delivery.target.kind === "callback" || delivery.target.kind === "endpoint") requireWebhooks(db);
  const endpoint = delivery.target.kind === "endpoint" && (await getEndpoint(db, delivery.target.id));
  if (endpoint && !endpoint.enabled && delivery.type !== PING)
    throw new ServiceError("CONFLICT", `the endpoint ${endpoint.id} is disabled; enable it first`);
  const now = epochSeconds(clock);
  const set = { status: "pending", reason: undefined, tries: 0, updated_at: now } as const;
  const changed = await deliveryWork.change(db, delivery, { set, due: now }, deliveryWork.free(now));
  if (!changed.changed)
    throw new ServiceError("CONFLICT", "the message is being sent; look at the delivery again");
  await db.outbox?.wake?.(subjectPartition(delivery.subject)).catch(() => undefined);
  return wireDelivery(changed.record);
};
