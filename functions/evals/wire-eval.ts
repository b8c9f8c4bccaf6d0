import { isoTime } from "../../shared/domain/iso-time.ts";
import type { EvalRun } from "../../shared/schemas/evals/eval-run.ts";
import type { StoredEval } from "../../shared/stores/evals/index.ts";

/** An evaluation as the wire shows it. */
export const wireEval = ({ trials, done, created_at, updated_at, ...record }: StoredEval): EvalRun => ({
  id: record.id,
  eval_type: record.eval_type,
  name: record.name,
  agent_id: record.agent_id,
  team_id: record.team_id,
  workflow_id: null,
  model_id: record.model_id,
  model_provider: record.model_provider,
  evaluated_component_name: record.evaluated_component_name,
  eval_data: record.eval_data,
  eval_input: record.eval_input,
  created_at: isoTime(created_at),
  updated_at: isoTime(updated_at),
  user_id: record.user_id,
  status: record.status,
  error: record.error,
  progress: { done, total: trials },
  cases: record.cases,
  ...(record.metrics && { metrics: record.metrics }),
  ...(record.component_version !== undefined && { component_version: record.component_version }),
  ...(record.dataset_id !== undefined && { dataset_id: record.dataset_id }),
  ...(record.dataset_version !== undefined && { dataset_version: record.dataset_version }),
  ...(record.online && { run_id: record.online.run_id, session_id: record.online.session_id }),
});
