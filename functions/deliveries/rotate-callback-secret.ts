import { callerOf } from "../../shared/auth/caller.ts";
import type { Handler } from "../../shared/http/handler.ts";
import { newestSecret } from "../../shared/outbound/index.ts";
import type { deliveryRoutes } from "../../shared/routes/deliveries.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { rotateCallbackKeys } from "../../shared/stores/outbox/index.ts";
import type { DeliveriesDeps } from "./deliveries-deps.ts";
import { requireWebhooks } from "./require-webhooks.ts";

type Needs = Pick<DeliveriesDeps, "db" | "clock" | "signingRoots">;

export const rotateCallbackSecret: Handler<typeof deliveryRoutes.rotateCallbackSecret, Needs> = async (
  { principal, body },
  { db, clock, signingRoots },
) => {
  requireWebhooks(db);
  const { user_id } = callerOf(principal);
  const roots = await signingRoots();
  const until = epochSeconds(clock) + body.overlap_seconds;
  const keys = await rotateCallbackKeys(db, user_id, until);
  return {
    secret: newestSecret(roots, { callbacks_of: user_id }, keys),
    previous_secret_until: keys.previous_until ?? null,
  };
};
