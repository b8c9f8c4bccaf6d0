import { orderOfPing } from "../../shared/domain/platform-events.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { deliveryRoutes } from "../../shared/routes/deliveries.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { PING } from "../../shared/schemas/deliveries/event-type.ts";
import { putPing, type StoredDelivery, wireDelivery } from "../../shared/stores/outbox/index.ts";
import type { DeliveriesDeps } from "./deliveries-deps.ts";
import { requireWebhooks } from "./require-webhooks.ts";
import { subscribingCaller } from "./subscribing-caller.ts";
import { visibleEndpoint } from "./visible-endpoint.ts";

type Needs = Pick<DeliveriesDeps, "db" | "clock" | "newId">;

/** The ping goes the way of every event, so it also shows whether that way works. */
export const testWebhookEndpoint: Handler<typeof deliveryRoutes.testWebhookEndpoint, Needs> = async (
  { params, principal },
  { db, clock, newId },
) => {
  requireWebhooks(db);
  const { id, url, audience, user_id } = await visibleEndpoint(
    db,
    subscribingCaller(principal),
    params.endpoint_id,
  );
  const now = epochSeconds(clock);
  const common = {
    type: PING,
    // Of its own, so that it does not wait for an earlier ping which was not accepted.
    subject: { kind: "ping", id: newId() },
    order: orderOfPing(clock.now()),
    expires_at: now + (db.outbox?.retentionDays ?? 0) * 86_400,
  } as const;
  const event = { ...common, id: `evt_${newId()}`, endpoint_id: id, owner: user_id, occurred_at: now };
  const delivery: StoredDelivery = {
    ...common,
    event_id: event.id,
    session_id: null,
    target: { kind: "endpoint", id },
    user_id: audience === "own" ? user_id : null,
    host: new URL(url).host,
    status: "pending",
    tries: 0,
    attempts: [],
    due_at: now,
    created_at: now,
    updated_at: now,
  };
  await putPing(db, event, delivery);
  return wireDelivery(delivery);
};
