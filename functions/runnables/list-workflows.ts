import type { Handler } from "../../shared/http/handler.ts";
import type { runnableRoutes } from "../../shared/routes/runnables.ts";
import { listRunnables, type RunnablesDeps } from "../../shared/runnables/index.ts";

export const listWorkflows: Handler<typeof runnableRoutes.listWorkflows, RunnablesDeps> = (
  { principal },
  deps,
) => listRunnables.workflow(principal, deps);
