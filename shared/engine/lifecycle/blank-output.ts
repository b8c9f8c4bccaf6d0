import type { StoredOutput } from "../../schemas/runs/stored-output.ts";
import { modelViewOf } from "../define/remote-agent.ts";
import type { Runnable } from "../define/runnable.ts";
import type { Models } from "../model/models.ts";

/** The fields of a run's output that name its component and model, before the run has begun. */
export function blankOutput(
  runnable: Runnable,
  models: Pick<Models, "describe">,
): Partial<Omit<StoredOutput, "metrics">> {
  const { id, name } = runnable;
  if (runnable.kind === "workflow") return { workflow_id: id, workflow_name: name, step_results: [] };
  const model = modelViewOf(runnable, models);
  const shown = { model: model.id, model_provider: model.provider };
  return runnable.kind === "team"
    ? { team_id: id, team_name: name, ...shown, member_responses: [] }
    : { agent_id: id, agent_name: name, ...shown };
}
