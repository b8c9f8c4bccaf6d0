import * as v from "valibot";
import { readableIds } from "../../shared/auth/scopes.ts";
import { summarizeWorkflow } from "../../shared/engine/describe-workflow.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { runnableRoutes } from "../../shared/routes/runnables.ts";
import { WorkflowSummary } from "../../shared/schemas/workflow.ts";
import type { RunnablesDeps } from "./runnables-deps.ts";
import { listStored } from "./stored-runnables.ts";

/** Who may read some workflows only gets those. What is stored comes after what is declared. @source contract, auth section 7, "Listing rule" */
export const listWorkflows: Handler<typeof runnableRoutes.listWorkflows, RunnablesDeps> = async (
  { principal },
  deps,
) => {
  const { registry } = deps;
  const ids = readableIds(principal, "workflows");
  const readable = registry.workflows.filter(({ id }) => ids === "all" || ids.has(id));
  const declared = readable.map(summarizeWorkflow);
  const stored = await listStored("workflow", principal, deps);
  return [...declared, ...stored.map((one) => v.parse(WorkflowSummary, one))];
};
