export { renameEval } from "./change-eval.ts";
export { createEval } from "./create-eval.ts";
export { noteSources, sourceKey } from "./datasets/case-sources.ts";
export { addDatasetVersion, createDataset } from "./datasets/create-dataset.ts";
export {
  datasetId,
  getDataset,
  getDatasetCases,
  isDatasetId,
  listDatasets,
  type StoredCase,
  type StoredDataset,
} from "./datasets/dataset-item.ts";
export { eraseCasesOf } from "./datasets/erase-cases.ts";
export { purgeDataset, removeDataset } from "./datasets/remove-dataset.ts";
export { endEval } from "./end-eval.ts";
export {
  getEval,
  getEvalHead,
  getPlan,
  type LeasedEval,
  onlineEvalId,
  type StoredEval,
  trialOfSession,
  trialSession,
} from "./eval-item.ts";
export { evalWork } from "./eval-work.ts";
export { finishTrial } from "./finish-trial.ts";
export { type EvalSortField, evalSortFields, listEvals, listVersionEvals } from "./list-evals.ts";
export { listTrialNumbers, listTrials } from "./list-trials.ts";
export { admitOnline } from "./online-budget.ts";
export { purgeEval, purgeTrial } from "./purge-eval.ts";
export { removeEvals } from "./remove-evals.ts";
