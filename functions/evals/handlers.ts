// Generated from the route table by `npm run routes`; do not edit.
export { compareEvals } from "./compare-evals.ts";
export { createDataset } from "./create-dataset.ts";
export { createDatasetVersion } from "./create-dataset-version.ts";
export { createEval } from "./create-eval.ts";
export { getDataset } from "./get-dataset.ts";
export { getEval } from "./get-eval.ts";
export { listDatasetCases } from "./list-dataset-cases.ts";
export { listDatasets } from "./list-datasets.ts";
export { listEvalCases } from "./list-eval-cases.ts";
export { listEvals } from "./list-evals.ts";
export { removeDataset } from "./remove-dataset.ts";
export { removeEvals } from "./remove-evals.ts";
export { updateEval } from "./update-eval.ts";
