import type { Handler } from "../../shared/http/handler.ts";
import type { evalRoutes } from "../../shared/routes/evals.ts";
import { pageMeta } from "../../shared/schemas/values/page.ts";
import { listDatasets as findDatasets } from "../../shared/stores/evals/index.ts";
import type { EvalsDeps } from "./evals-deps.ts";
import { evalOwner } from "./visible-eval.ts";
import { wireDataset } from "./wire-dataset.ts";

/** One page of the datasets that the caller may see, the newest first. */
export const listDatasets: Handler<typeof evalRoutes.listDatasets, Pick<EvalsDeps, "db">> = async (
  { query, principal },
  { db },
) => {
  const { page, limit } = query;
  const owner = evalOwner(principal, query);
  const { datasets, total } = await findDatasets(db, owner, { offset: (page - 1) * limit, limit });
  return { data: datasets.map(wireDataset), meta: pageMeta(page, limit, total, 0) };
};
