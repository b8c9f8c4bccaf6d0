import { newServiceAccountToken } from "../../shared/auth/identify/service-account-token.ts";
import { DAY_SECONDS } from "../../shared/domain/utc-day.ts";
import { httpOptionsFrom } from "../../shared/http/http-options.ts";
import { serve } from "../../shared/http/serve.ts";
import { guardedCalls } from "../../shared/outbound/index.ts";
import { deliveryWaker } from "../../shared/queue/delivery-queue.ts";
import { serviceAccountRoutes } from "../../shared/routes/service-accounts.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { createLog } from "../../shared/runtime/create-log.ts";
import { newId } from "../../shared/runtime/ids.ts";
import { serviceAccountsEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { auditWriter } from "../../shared/stores/audit/write-audit.ts";
import { connectDb } from "../../shared/stores/db.ts";
import * as handlers from "./handlers.ts";
import type { ServiceAccountsDeps } from "./service-accounts-deps.ts";

const env = readEnv(serviceAccountsEnv);
const deps: ServiceAccountsDeps = {
  db: connectDb(env, deliveryWaker(env.DELIVERY_QUEUE_URL)),
  clock: systemClock,
  adminScope: env.ADMIN_SCOPE,
  log: createLog(env.POWERTOOLS_SERVICE_NAME),
  newId,
  newToken: newServiceAccountToken,
  oauth: {
    publicUrl: env.PUBLIC_URL,
    grantSeconds: env.MCP_GRANT_DAYS * DAY_SECONDS,
    registers: env.MCP_REGISTRATION === "true",
    fetchDocument: guardedCalls([]),
  },
};

export const handler = serve(
  serviceAccountRoutes,
  handlers,
  deps,
  httpOptionsFrom(env, auditWriter(deps.db)),
);
