import type { Handler } from "../../shared/http/handler.ts";
import type { runnableRoutes } from "../../shared/routes/runnables.ts";
import { listRunnables, type RunnablesDeps } from "../../shared/runnables/index.ts";

export const listAgents: Handler<typeof runnableRoutes.listAgents, RunnablesDeps> = ({ principal }, deps) =>
  listRunnables.agent(principal, deps);
