import { readableIds } from "../../shared/auth/scopes.ts";
import { describeAgent } from "../../shared/engine/describe-agent.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { runnableRoutes } from "../../shared/routes/runnables.ts";
import type { RunnablesDeps } from "./runnables-deps.ts";
import { listStored } from "./stored-runnables.ts";

/** Who may read some agents only gets those. What is stored comes after what is declared. @source contract, auth section 7, "Listing rule" */
export const listAgents: Handler<typeof runnableRoutes.listAgents, RunnablesDeps> = async (
  { principal },
  deps,
) => {
  const { registry, models } = deps;
  const ids = readableIds(principal, "agents");
  const readable = registry.agents.filter(({ id }) => ids === "all" || ids.has(id));
  const declared = readable.map((agent) => describeAgent(agent, models));
  return [...declared, ...(await listStored("agent", principal, deps))];
};
