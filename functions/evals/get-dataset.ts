import type { Handler } from "../../shared/http/handler.ts";
import type { evalRoutes } from "../../shared/routes/evals.ts";
import type { EvalsDeps } from "./evals-deps.ts";
import { visibleDataset } from "./visible-dataset.ts";
import { wireDataset } from "./wire-dataset.ts";

export const getDataset: Handler<typeof evalRoutes.getDataset, Pick<EvalsDeps, "db">> = async (
  { params, query, principal },
  { db },
) => wireDataset(await visibleDataset(db, principal, params.dataset_id, query));
