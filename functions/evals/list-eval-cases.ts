import { caseOutcome, evalData, trialsPerCase } from "../../shared/evals/index.ts";
import type { Handler } from "../../shared/http/handler.ts";
import { refuseTooLarge } from "../../shared/http/max-answer-bytes.ts";
import type { evalRoutes } from "../../shared/routes/evals.ts";
import type { EvalPlan } from "../../shared/schemas/evals/eval-plan.ts";
import type { EvalCase } from "../../shared/schemas/evals/eval-run.ts";
import type { EvalTrial } from "../../shared/schemas/evals/eval-trial.ts";
import { pageMeta } from "../../shared/schemas/values/page.ts";
import { listTrials, type StoredEval } from "../../shared/stores/evals/index.ts";
import type { EvalsDeps } from "./evals-deps.ts";
import { planOf, visibleEval } from "./visible-eval.ts";

/**
 * Reads the trials of the page alone.
 *
 * @decided cases are an addition of ours; they are shown as far as they are done
 */
export const listEvalCases: Handler<typeof evalRoutes.listEvalCases, Pick<EvalsDeps, "db">> = async (
  { params, query, principal },
  { db },
) => {
  const record = await visibleEval(db, principal, params.eval_run_id, query);
  const plan = await planOf(db, record);
  const { page, limit } = query;
  const first = (page - 1) * limit;
  const each = trialsPerCase(plan);
  const count = Math.max(0, Math.min(limit, plan.cases.length - first));
  const trials = await listTrials(db, record.id, first * each, (first + count) * each);
  const data = Array.from({ length: count }, (_, i) => wireCase(record, plan, trials, first + i));
  refuseTooLarge(data, "The cases of this page");
  return { data, meta: pageMeta(page, limit, plan.cases.length, 0) };
};

function wireCase(
  { id, eval_type }: StoredEval,
  plan: EvalPlan,
  trials: readonly EvalTrial[],
  index: number,
): EvalCase {
  const total = trialsPerCase(plan);
  const its = trials.filter(({ number }) => Math.floor(number / total) === index);
  const { name, input } = plan.cases[index] ?? { input: "" };
  const { status, error, passed } = caseOutcome(eval_type, plan, its);
  return {
    number: index + 1,
    name: name ?? null,
    // The input of a run that a user asked for is with its trial.
    input: its[0]?.input ?? input,
    status,
    error,
    passed,
    eval_data: evalData(eval_type, { id, plan, trials: its, withResults: true }),
    progress: { done: its.length, total },
    runs: its.map(({ run_id, session_id, run_status }) => ({ run_id, session_id, status: run_status })),
  };
}
