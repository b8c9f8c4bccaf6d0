import { callerOf } from "../../shared/auth/caller.ts";
import type { Handler } from "../../shared/http/handler.ts";
import { newestSecret } from "../../shared/outbound/index.ts";
import type { deliveryRoutes } from "../../shared/routes/deliveries.ts";
import { getCallbackKeys } from "../../shared/stores/outbox/index.ts";
import type { DeliveriesDeps } from "./deliveries-deps.ts";
import { requireWebhooks } from "./require-webhooks.ts";

type Needs = Pick<DeliveriesDeps, "db" | "signingRoots">;

/** Every owner of runs has a secret of its own: whoever knows one can sign for no other owner. */
export const getCallbackSecret: Handler<typeof deliveryRoutes.getCallbackSecret, Needs> = async (
  { principal },
  { db, signingRoots },
) => {
  requireWebhooks(db);
  const { user_id } = callerOf(principal);
  const [roots, keys] = await Promise.all([signingRoots(), getCallbackKeys(db, user_id)]);
  return {
    secret: newestSecret(roots, { callbacks_of: user_id }, keys),
    previous_secret_until: keys.previous_until ?? null,
  };
};
