import type { Handler } from "../../shared/http/handler.ts";
import type { evalRoutes } from "../../shared/routes/evals.ts";
import type { EvalsDeps } from "./evals-deps.ts";
import { visibleEval } from "./visible-eval.ts";
import { wireEval } from "./wire-eval.ts";

export const getEval: Handler<typeof evalRoutes.getEval, Pick<EvalsDeps, "db">> = async (
  { params, query, principal },
  { db },
) => wireEval(await visibleEval(db, principal, params.eval_run_id, query));
