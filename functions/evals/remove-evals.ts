import type { Handler } from "../../shared/http/handler.ts";
import type { evalRoutes } from "../../shared/routes/evals.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { evalWork, removeEvals as hideEvals } from "../../shared/stores/evals/index.ts";
import type { EvalsDeps } from "./evals-deps.ts";
import { evalOwner } from "./visible-eval.ts";

type Needs = Pick<EvalsDeps, "db" | "clock" | "queue" | "log">;

/** Evaluations are hidden at once; the eval worker removes what is stored of them. */
export const removeEvals: Handler<typeof evalRoutes.removeEvals, Needs> = async (
  { body, query, principal },
  deps,
) => {
  const owner = evalOwner(principal, query);
  const ids = [...new Set(body.eval_run_ids)];
  const mayRemove = ({ user_id }: { user_id: string | null }) => owner === undefined || user_id === owner;
  const removed = await hideEvals(deps.db, ids, mayRemove, epochSeconds(deps.clock));
  await Promise.all(removed.map((id) => evalWork.wake(deps, { eval_id: id })));
  return undefined;
};
