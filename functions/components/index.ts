import { registry } from "#registry";
import { warnOfHidden } from "../../shared/engine/component/warn-of-hidden.ts";
import { declaredIn } from "../../shared/engine/define/registry.ts";
import { describeModels } from "../../shared/engine/model/models.ts";
import { httpOptionsFrom } from "../../shared/http/http-options.ts";
import { serve } from "../../shared/http/serve.ts";
import { deliveryWaker } from "../../shared/queue/delivery-queue.ts";
import { componentRoutes } from "../../shared/routes/components.ts";
import { systemClock } from "../../shared/runtime/clock.ts";
import { createLog } from "../../shared/runtime/create-log.ts";
import { componentsEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { auditWriter } from "../../shared/stores/audit/write-audit.ts";
import { connectDb } from "../../shared/stores/db.ts";
import type { ComponentsDeps } from "./components-deps.ts";
import * as ownHandlers from "./handlers.ts";
import { kindHandlers } from "./kind-handlers.ts";

const env = readEnv(componentsEnv);
const log = createLog(env.POWERTOOLS_SERVICE_NAME);
const deps: ComponentsDeps = {
  db: connectDb(env, deliveryWaker(env.DELIVERY_QUEUE_URL)),
  clock: systemClock,
  codeDefined: declaredIn(registry),
  parts: {
    registry,
    models: describeModels(env.MODEL),
    knowledge: env.KNOWLEDGE_BASES.map(({ name }) => name),
  },
  log,
};
// Not awaited: no request depends on it.
void warnOfHidden(registry, deps.db, log);
const handlers = { ...ownHandlers, ...kindHandlers };

export const handler = serve(componentRoutes, handlers, deps, httpOptionsFrom(env, auditWriter(deps.db)));
