import { readableIds } from "../../shared/auth/scopes.ts";
import { summarizeWorkflow } from "../../shared/engine/describe-workflow.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { runnableRoutes } from "../../shared/routes/runnables.ts";
import type { RunnablesDeps } from "./runnables-deps.ts";

/** Who may read some workflows only gets those. @source contract, auth section 7, "Listing rule" */
export const listWorkflows: Handler<typeof runnableRoutes.listWorkflows, RunnablesDeps> = async (
  { principal },
  { registry },
) => {
  const ids = readableIds(principal, "workflows");
  const readable = registry.workflows.filter(({ id }) => ids === "all" || ids.has(id));
  return readable.map(summarizeWorkflow);
};
