import type { EvalPlan } from "../schemas/evals/eval-plan.ts";
import type { Db } from "../stores/db.ts";
import { getPlan, type StoredEval } from "../stores/evals/index.ts";

/** The plan of an evaluation; undefined once it is removed. That of a run which is judged afterwards is on its record. */
export const planOfEval = async (db: Db, record: StoredEval): Promise<EvalPlan | undefined> =>
  record.online ? onlinePlan(record) : getPlan(db, record.id);

const textIn = (value: unknown): string | null => (typeof value === "string" ? value : null);

function onlinePlan({ eval_input }: StoredEval): EvalPlan {
  const { criteria, additional_guidelines, scoring_strategy, threshold } = eval_input;
  return {
    // Its input is that of the run, which is read when it is judged.
    cases: [{ input: "", criteria: textIn(criteria), additional_guidelines: textIn(additional_guidelines) }],
    num_iterations: 1,
    warmup_runs: 0,
    scoring_strategy: scoring_strategy === "numeric" ? "numeric" : "binary",
    threshold: typeof threshold === "number" ? threshold : DEFAULT_THRESHOLD,
    allow_additional_tool_calls: false,
  };
}

const DEFAULT_THRESHOLD = 7;
