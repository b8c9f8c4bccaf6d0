import type { Handler } from "../../shared/http/handler.ts";
import type { evalRoutes } from "../../shared/routes/evals.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { renameEval } from "../../shared/stores/evals/index.ts";
import type { EvalsDeps } from "./evals-deps.ts";
import { noEval, visibleEval } from "./visible-eval.ts";
import { wireEval } from "./wire-eval.ts";

export const updateEval: Handler<typeof evalRoutes.updateEval, Pick<EvalsDeps, "db" | "clock">> = async (
  { params, query, body, principal },
  { db, clock },
) => {
  const record = await visibleEval(db, principal, params.eval_run_id, query);
  const renamed = await renameEval(db, record, body.name, epochSeconds(clock));
  if (!renamed) throw noEval(record.id);
  return wireEval(renamed);
};
