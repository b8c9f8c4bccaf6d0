import { registry } from "../../registry/index.ts";
import { createModels } from "../../shared/engine/create-models.ts";
import { doorFrom } from "../../shared/http/door.ts";
import { serve } from "../../shared/http/serve.ts";
import { runnableRoutes } from "../../shared/routes/runnables.ts";
import { readEnv } from "../../shared/runtime/env.ts";
import { runnablesEnv } from "../../shared/runtime/function-env.ts";
import { getAgent } from "./get-agent.ts";
import { listAgents } from "./list-agents.ts";
import type { RunnablesDeps } from "./runnables-deps.ts";

const env = readEnv(runnablesEnv);
const deps: RunnablesDeps = { agents: registry.agents, models: createModels(env) };

export const handler = serve(runnableRoutes, { listAgents, getAgent }, deps, doorFrom(env));
