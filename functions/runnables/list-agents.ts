import { describeAgent } from "../../shared/engine/describe/describe-agent.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { runnableRoutes } from "../../shared/routes/runnables.ts";
import { readableDeclared } from "./readable-declared.ts";
import type { RunnablesDeps } from "./runnables-deps.ts";
import { listStored } from "./stored-runnables.ts";

/** Stored components come after declared ones. */
export const listAgents: Handler<typeof runnableRoutes.listAgents, RunnablesDeps> = async (
  { principal },
  deps,
) => {
  const { registry, models } = deps;
  const declared = readableDeclared(registry, principal, "agents").map((agent) =>
    describeAgent(agent, models),
  );
  return [...declared, ...(await listStored("agent", principal, deps))];
};
