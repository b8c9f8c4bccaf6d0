import { issuersIn } from "../../shared/auth/identify/issuers.ts";
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
import { createAskIssuer } from "./oauth/ask-issuer.ts";
import type { ServiceAccountsDeps } from "./service-accounts-deps.ts";

const env = readEnv(serviceAccountsEnv);
const { CONSOLE_ISSUER: issuer, CONSOLE_CLIENT_ID: clientId, ADMIN_SCOPE: adminScope } = env;
const deps: ServiceAccountsDeps = {
  db: connectDb(env, deliveryWaker(env.DELIVERY_QUEUE_URL)),
  clock: systemClock,
  adminScope,
  log: createLog(env.POWERTOOLS_SERVICE_NAME),
  newId,
  newToken: newServiceAccountToken,
  oauth: {
    publicUrl: env.PUBLIC_URL,
    grantSeconds: env.MCP_GRANT_DAYS * DAY_SECONDS,
    registers: env.MCP_REGISTRATION === "true",
    fetchDocument: guardedCalls([]),
    ...(issuer !== undefined &&
      clientId !== undefined && {
        askIssuer: createAskIssuer({
          ...{ issuer, clientId, adminScope, trusted: issuersIn(env), osId: env.OS_ID },
          ...{ now: systemClock.now, origin: env.PUBLIC_URL },
        }),
      }),
  },
};

export const handler = serve(
  serviceAccountRoutes,
  handlers,
  deps,
  httpOptionsFrom(env, auditWriter(deps.db)),
);
