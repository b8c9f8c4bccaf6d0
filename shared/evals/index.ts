/** What requests about evaluations need: data sets, plans, comparisons. What executes evaluations is in `worker.ts`; every other file is internal. */

export { caseOfRun } from "./case-of-run.ts";
export { caseOutcome } from "./case-outcome.ts";
export { compareEvals, type WholeEval } from "./compare-evals.ts";
export { contentDigest, digestOf, type SkillContent } from "./content-digest.ts";
export { evalData } from "./eval-data.ts";
export { planOfEval } from "./plan-of-eval.ts";
export { readDataset } from "./read-dataset.ts";
export { redactor } from "./redaction/redactor.ts";
export { trialCount, trialsPerCase } from "./trials.ts";
