import { isSampled } from "../../domain/evals/is-sampled.ts";
import type { StoredEval } from "../../stores/evals/eval-item.ts";
import { onlineEvalId } from "../../stores/evals/online-eval-id.ts";
import type { StoredRun } from "../../stores/runs/run-item.ts";
import type { RunOutcome } from "../run/run-outcome.ts";

/**
 * The evaluation of a run that has completed, where it is among the share that its component has judged. It is written
 * with the end of the run and has no message, so it costs the run one entry of its transaction: the sweeper's next round
 * sends the message.
 *
 * @param now  epoch seconds
 */
export function onlineEvalOf(run: StoredRun, outcome: RunOutcome, now: number): StoredEval | undefined {
  if (outcome.status !== "COMPLETED" || !outcome.online_evaluation) return undefined;
  const { sample_ratio, daily_evaluations, daily_cost, ...asked } = outcome.online_evaluation;
  if (run.component_type === "workflow" || !isSampled(run.run_id, sample_ratio)) return undefined;
  const isAgent = run.component_type === "agent";
  const { output } = outcome;
  return {
    id: onlineEvalId(run.run_id),
    eval_type: "agent_as_judge",
    name: null,
    agent_id: isAgent ? run.component_id : null,
    team_id: isAgent ? null : run.component_id,
    ...(run.component_version !== undefined && { component_version: run.component_version }),
    online: {
      session_id: run.session_id,
      run_id: run.run_id,
      ...(daily_evaluations !== undefined && { daily_evaluations }),
      ...(daily_cost !== undefined && { daily_cost }),
    },
    evaluated_component_name: (isAgent ? output.agent_name : output.team_name) ?? null,
    // The judge is chosen when it judges, by the settings of that moment.
    model_id: null,
    model_provider: null,
    eval_data: {},
    eval_input: {
      criteria: asked.criteria,
      scoring_strategy: asked.scoring_strategy,
      threshold: asked.scoring_strategy === "binary" ? null : asked.threshold,
      additional_guidelines: asked.additional_guidelines ?? null,
    },
    user_id: run.owner,
    status: "running",
    error: null,
    cases: 1,
    trials: 1,
    done: 0,
    stalls: 0,
    created_at: now,
    updated_at: now,
  };
}
