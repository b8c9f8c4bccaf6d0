import { describeAgent } from "../../shared/engine/component/describe-agent.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { runnableRoutes } from "../../shared/routes/runnables.ts";
import { type RunnablesDeps, showStored } from "../../shared/runnables/index.ts";

export const getAgent: Handler<typeof runnableRoutes.getAgent, RunnablesDeps> = async (
  { params, principal },
  deps,
) => {
  const agent = deps.registry.agents.find(({ id }) => id === params.agent_id);
  return agent ? describeAgent(agent, deps.models) : showStored("agent", params.agent_id, principal, deps);
};
