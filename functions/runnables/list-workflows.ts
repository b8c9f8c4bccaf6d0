import * as v from "valibot";
import { summarizeWorkflow } from "../../shared/engine/describe/describe-workflow.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { runnableRoutes } from "../../shared/routes/runnables.ts";
import { WorkflowSummary } from "../../shared/schemas/components/workflow.ts";
import { readableDeclared } from "./readable-declared.ts";
import type { RunnablesDeps } from "./runnables-deps.ts";
import { listStored } from "./stored-runnables.ts";

/** Stored components come after declared ones. */
export const listWorkflows: Handler<typeof runnableRoutes.listWorkflows, RunnablesDeps> = async (
  { principal },
  deps,
) => {
  const declared = readableDeclared(deps.registry, principal, "workflows").map(summarizeWorkflow);
  const stored = await listStored("workflow", principal, deps);
  return [...declared, ...stored.map((one) => v.parse(WorkflowSummary, one))];
};
