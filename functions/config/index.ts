import { registry } from "#registry";
import { describeModels } from "../../shared/engine/model/models.ts";
import { httpOptionsFrom } from "../../shared/http/http-options.ts";
import { serve } from "../../shared/http/serve.ts";
import { basesOf } from "../../shared/knowledge/configured.ts";
import { configRoutes } from "../../shared/routes/config.ts";
import { configEnv } from "../../shared/settings/environments.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import type { ConfigDeps } from "./config-deps.ts";
import * as handlers from "./handlers.ts";
import { interfacesOf } from "./interfaces-of.ts";

const env = readEnv(configEnv);
const deps: ConfigDeps = {
  osId: env.OS_ID,
  adminScope: env.ADMIN_SCOPE,
  registry,
  bases: basesOf(env.KNOWLEDGE_BASES),
  vectorStore: env.VECTOR_STORE,
  models: describeModels(env.MODEL),
  interfaces: interfacesOf(env),
  queueEnabled: env.QUEUE_ENABLED === "true",
  queuePerSession: env.SESSION_POLICY === "queue",
};

export const handler = serve(configRoutes, handlers, deps, httpOptionsFrom(env));
