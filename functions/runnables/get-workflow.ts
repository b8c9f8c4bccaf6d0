import { describeWorkflow } from "../../shared/engine/component/describe-team-and-workflow.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { runnableRoutes } from "../../shared/routes/runnables.ts";
import { type RunnablesDeps, showStored } from "../../shared/runnables/index.ts";

/** @source docs/interface/components.md 6.3 */
export const getWorkflow: Handler<typeof runnableRoutes.getWorkflow, RunnablesDeps> = async (
  { params, query, principal },
  deps,
) => {
  const { workflow_id } = params;
  const workflow = deps.registry.workflows.find(({ id }) => id === workflow_id);
  return workflow
    ? describeWorkflow(workflow, deps.models)
    : showStored("workflow", workflow_id, principal, deps, query.version);
};
