import { registry } from "../../registry/index.ts";
import { createModels } from "../../shared/engine/create-models.ts";
import { doorFrom } from "../../shared/http/door.ts";
import { serve } from "../../shared/http/serve.ts";
import { configRoutes } from "../../shared/routes/config.ts";
import { readEnv } from "../../shared/runtime/env.ts";
import { configEnv } from "../../shared/runtime/function-env.ts";
import type { ConfigDeps } from "./config-deps.ts";
import { getConfig } from "./get-config.ts";

const env = readEnv(configEnv);
const deps: ConfigDeps = { osId: env.OS_ID, agents: registry.agents, models: createModels(env) };

export const handler = serve(configRoutes, { getConfig }, deps, doorFrom(env));
