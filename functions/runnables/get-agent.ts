import { describeAgent } from "../../shared/engine/describe-agent.ts";
import { notFound } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { runnableRoutes } from "../../shared/routes/runnables.ts";
import type { RunnablesDeps } from "./runnables-deps.ts";

export const getAgent: Handler<typeof runnableRoutes.getAgent, RunnablesDeps> = async (
  { params },
  { registry, models },
) => {
  const agent = registry.agents.find(({ id }) => id === params.agent_id);
  if (!agent) throw notFound("agent", params.agent_id);
  return describeAgent(agent, models);
};
