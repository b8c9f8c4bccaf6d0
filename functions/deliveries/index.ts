import { httpOptionsFrom } from "../../shared/http/http-options.ts";
import { serve } from "../../shared/http/serve.ts";
import { connectSigningRoots } from "../../shared/outbound/index.ts";
import { deliveryWaker } from "../../shared/queue/delivery-queue.ts";
import { deliveryRoutes } from "../../shared/routes/deliveries.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { newId } from "../../shared/runtime/ids.ts";
import { deliveriesEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { auditWriter } from "../../shared/stores/audit/write-audit.ts";
import { connectDb } from "../../shared/stores/db.ts";
import type { DeliveriesDeps } from "./deliveries-deps.ts";
import * as handlers from "./handlers.ts";

const env = readEnv(deliveriesEnv);
const deps: DeliveriesDeps = {
  db: connectDb(env, deliveryWaker(env.DELIVERY_QUEUE_URL)),
  // Read only where webhooks are on.
  signingRoots: connectSigningRoots(env.WEBHOOK_SECRET ?? "", systemClock),
  clock: systemClock,
  newId,
  settings: env,
};

export const handler = serve(deliveryRoutes, handlers, deps, httpOptionsFrom(env, auditWriter(deps.db)));
