import type { EvalGate } from "../../schemas/evals/eval-gate.ts";
import type { EvalTotals } from "../../schemas/evals/eval-run.ts";

/** What a gate looks at in an evaluation. */
export type GatedEval = {
  readonly eval_type: "accuracy" | "agent_as_judge" | "performance" | "reliability";
  readonly status: "running" | "completed" | "failed";
  readonly dataset_id?: string | undefined;
  readonly totals?: EvalTotals | undefined;
};

/** The scores from which an accuracy evaluation passes, as for a judge with scores. */
const MIN_SCORE = 7;

/** Whether an evaluation is what a gate asks for. A failed one never is: its results say nothing. */
export function passesGate(gate: Exclude<EvalGate, false>, one: GatedEval): boolean {
  const { eval_type, dataset_id, min_score, min_pass_rate = 100 } = gate === true ? {} : gate;
  if (one.status !== "completed" || !one.totals) return false;
  if (eval_type !== undefined && one.eval_type !== eval_type) return false;
  if (dataset_id !== undefined && one.dataset_id !== dataset_id) return false;
  const { score, pass_rate } = one.totals;
  switch (one.eval_type) {
    case "reliability":
      return (pass_rate ?? 0) >= min_pass_rate;
    case "agent_as_judge":
      return (pass_rate ?? 0) >= min_pass_rate && (min_score === undefined || (score ?? 0) >= min_score);
    case "accuracy":
      return (score ?? 0) >= (min_score ?? MIN_SCORE);
    case "performance":
      // It measures times and no answers, so it passes only where it is what is asked for.
      return eval_type === "performance";
  }
}
