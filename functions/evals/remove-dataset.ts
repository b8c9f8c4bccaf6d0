import type { Handler } from "../../shared/http/handler.ts";
import type { evalRoutes } from "../../shared/routes/evals.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { evalWork, removeDataset as hideDataset } from "../../shared/stores/evals/index.ts";
import type { EvalsDeps } from "./evals-deps.ts";
import { visibleDataset } from "./visible-dataset.ts";

type Needs = Pick<EvalsDeps, "db" | "clock" | "queue" | "log">;

/** A dataset is hidden at once; the eval worker removes what is stored of it. */
export const removeDataset: Handler<typeof evalRoutes.removeDataset, Needs> = async (
  { params, query, principal },
  deps,
) => {
  const dataset = await visibleDataset(deps.db, principal, params.dataset_id, query);
  if (await hideDataset(deps.db, dataset, epochSeconds(deps.clock)))
    await evalWork.wake(deps, { eval_id: dataset.id });
  return undefined;
};
