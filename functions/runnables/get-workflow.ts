import { describeWorkflow } from "../../shared/engine/describe-workflow.ts";
import { notFound } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import type { runnableRoutes } from "../../shared/routes/runnables.ts";
import type { RunnablesDeps } from "./runnables-deps.ts";

/** A workflow of the registry has no versions, so any that is asked for is not there. */
export const getWorkflow: Handler<typeof runnableRoutes.getWorkflow, RunnablesDeps> = async (
  { params, query },
  { registry, models },
) => {
  const workflow = registry.workflows.find(({ id }) => id === params.workflow_id);
  if (!workflow || query.version !== undefined) throw notFound("workflow", params.workflow_id);
  return describeWorkflow(workflow, models);
};
