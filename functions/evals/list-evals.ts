import type { Handler } from "../../shared/http/handler.ts";
import { refuseTooLarge } from "../../shared/http/max-answer-bytes.ts";
import type { evalRoutes } from "../../shared/routes/evals.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { pageMeta } from "../../shared/schemas/values/page.ts";
import {
  type EvalSortField,
  evalSortFields,
  listEvals as findEvals,
  getEval,
  onlineEvalId,
} from "../../shared/stores/evals/index.ts";
import type { EvalsDeps } from "./evals-deps.ts";
import { evalOwner } from "./visible-eval.ts";
import { wireEval } from "./wire-eval.ts";

/** Evaluations of one page at most, whatever the request says. */
const MAX_LIMIT = 100;

/**
 * One page of evaluations. Page 0 is the first page, and echoed as 0.
 *
 * @source docs/interface/evals.md 1.3
 */
export const listEvals: Handler<typeof evalRoutes.listEvals, Pick<EvalsDeps, "db" | "clock">> = async (
  { query, principal },
  { db, clock },
) => {
  const { agent_id, team_id, workflow_id, model_id, type, eval_types: types, page, sort_order } = query;
  const owner = evalOwner(principal, query);
  const limit = Math.min(query.limit, MAX_LIMIT);
  if (query.run_id !== undefined) return ofRun(db, owner, query.run_id, { page, limit });
  // No evaluation is of a workflow.
  if (workflow_id !== undefined || type === "workflow")
    return { data: [], meta: pageMeta(page, limit, 0, 0) };
  const sort_by = isSortField(query.sort_by) ? query.sort_by : "created_at";
  const filter = { owner, agent_id, team_id, model_id, kind: type, types, sort_by, sort_order, limit };
  const { evals, total } = await findEvals(db, { ...filter, page: Math.max(1, page) }, epochSeconds(clock));
  const data = evals.map(wireEval);
  refuseTooLarge(data, "The evaluations of this page");
  return { data, meta: pageMeta(page, limit, total, 0) };
};

/** A run that is judged after its end has one evaluation, whose id follows from the run's. */
async function ofRun(
  db: EvalsDeps["db"],
  owner: string | undefined,
  run_id: string,
  { page, limit }: { readonly page: number; readonly limit: number },
) {
  const record = await getEval(db, onlineEvalId(run_id));
  const found = record && (owner === undefined || record.user_id === owner) ? [wireEval(record)] : [];
  return { data: page <= 1 ? found : [], meta: pageMeta(page, limit, found.length, 0) };
}

const isSortField = (name: string): name is EvalSortField => evalSortFields.some((field) => field === name);
