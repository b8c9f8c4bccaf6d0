import type { EvalCasePlan, EvalPlan } from "../schemas/evals/eval-plan.ts";

/**
 * The trials of an evaluation are its runs in one sequence, numbered from 0:
 *
 *   case 1: warm-ups, iterations │ case 2: warm-ups, iterations │ …
 */
type Row = Pick<EvalPlan, "cases" | "warmup_runs" | "num_iterations">;

/** Trials of one case. */
export const trialsPerCase = ({ warmup_runs, num_iterations }: Omit<Row, "cases">): number =>
  warmup_runs + num_iterations;

export const trialCount = (plan: Row): number => plan.cases.length * trialsPerCase(plan);

/** Whether a trial only warms up for the later ones. */
export const isWarmup = (plan: Row, number: number): boolean =>
  number % trialsPerCase(plan) < plan.warmup_runs;

/** The case of a trial. @throws for a number beyond the plan: trials and plan belong to different evaluations */
export function caseOf(plan: Row, number: number): EvalCasePlan {
  const found = plan.cases[Math.floor(number / trialsPerCase(plan))];
  if (!found) throw new Error(`the evaluation has no trial ${number}`);
  return found;
}
