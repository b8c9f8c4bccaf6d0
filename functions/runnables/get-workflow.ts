import { describeWorkflow } from "../../shared/engine/component/describe-team-and-workflow.ts";
import { notFound } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { runnableRoutes } from "../../shared/routes/runnables.ts";
import { type RunnablesDeps, showStored } from "../../shared/runnables/index.ts";

/** A workflow of the registry has no versions, so any that is asked for is not there. */
export const getWorkflow: Handler<typeof runnableRoutes.getWorkflow, RunnablesDeps> = async (
  { params, query, principal },
  deps,
) => {
  const { workflow_id } = params;
  const workflow = deps.registry.workflows.find(({ id }) => id === workflow_id);
  if (!workflow) return showStored("workflow", workflow_id, principal, deps, query.version);
  if (query.version !== undefined) throw notFound("workflow", workflow_id);
  return describeWorkflow(workflow, deps.models);
};
