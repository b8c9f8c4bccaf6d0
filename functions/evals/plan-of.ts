import { planOfEval } from "../../shared/evals/index.ts";
import type { EvalPlan } from "../../shared/schemas/evals/eval-plan.ts";
import type { Db } from "../../shared/stores/db.ts";
import type { StoredEval } from "../../shared/stores/evals/eval-item.ts";
import { noEval } from "./visible-eval.ts";

/** The plan of an evaluation. @throws ServiceError NOT_FOUND where it was removed meanwhile */
export async function planOf(db: Db, record: StoredEval): Promise<EvalPlan> {
  const plan = await planOfEval(db, record);
  if (!plan) throw noEval(record.id);
  return plan;
}
