// Generated from the route table by `npm run routes`; do not edit.
export { addDatasetCases } from "./add-dataset-cases.ts";
export { changeDatasetCases } from "./change-dataset-cases.ts";
export { compareEvals } from "./compare-evals.ts";
export { createDataset } from "./create-dataset.ts";
export { createDatasetVersion } from "./create-dataset-version.ts";
export { createEval } from "./create-eval.ts";
export { exportDataset } from "./export-dataset.ts";
export { getDataset } from "./get-dataset.ts";
export { getEval } from "./get-eval.ts";
export { listDatasetCases } from "./list-dataset-cases.ts";
export { listDatasets } from "./list-datasets.ts";
export { listEvalCases } from "./list-eval-cases.ts";
export { listEvals } from "./list-evals.ts";
export { removeDataset } from "./remove-dataset.ts";
export { removeEvals } from "./remove-evals.ts";
export { updateEval } from "./update-eval.ts";
