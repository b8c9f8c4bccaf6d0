import { notFound } from "../../shared/errors.ts";
import type { Handler } from "../../shared/http/handler.ts";
import { refuseTooLarge } from "../../shared/http/max-answer-bytes.ts";
import type { evalRoutes } from "../../shared/routes/evals.ts";
import { getDatasetCases } from "../../shared/stores/evals/index.ts";
import type { EvalsDeps } from "./evals-deps.ts";
import { visibleDataset } from "./visible-dataset.ts";
import { wireCase } from "./wire-case.ts";

/** One page of the cases of a version; of the newest one unless the query names another. */
export const listDatasetCases: Handler<typeof evalRoutes.listDatasetCases, Pick<EvalsDeps, "db">> = async (
  { params, query, principal },
  { db },
) => {
  const { id, version: newest } = await visibleDataset(db, principal, params.dataset_id, query);
  const version = query.version ?? newest;
  const cases = await getDatasetCases(db, id, version);
  if (!cases) throw notFound("version", `${version} of dataset ${id}`);
  const from = (query.page - 1) * query.limit;
  const data = cases.slice(from, from + query.limit).map(wireCase);
  refuseTooLarge(data, "The cases of this page");
  return { dataset_id: id, version, cases: cases.length, data };
};
