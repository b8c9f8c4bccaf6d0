import type { EvalType } from "../schemas/evals/eval-run.ts";
import type { EvalTrial } from "../schemas/evals/eval-trial.ts";
import { cutText } from "./cut-text.ts";

const judgedTypes: ReadonlySet<EvalType> = new Set(["accuracy", "agent_as_judge"]);

const EMPTY = "The answer is empty.";

/** Whether a trial's run did not come to an answer: nothing passes on it, and its time says nothing. */
export const hasFailed = ({ run_status }: Pick<EvalTrial, "run_status">): boolean =>
  run_status === "ERROR" || run_status === "CANCELLED";

/**
 * Why the results of an evaluation say nothing about its component: a run failed, for example because its model is down,
 * or an answer has no verdict.
 *
 * @returns undefined where each trial has what the type of evaluation measures
 * @source  docs/interface/evals.md 3.3
 */
export function failureOf(type: EvalType, trials: readonly EvalTrial[]): string | undefined {
  const failed = trials.filter(hasFailed);
  const [first] = failed;
  if (first)
    return `${failed.length} of ${trials.length} runs failed; the first one: ${cutText(first.output)}`;
  const unjudged = judgedTypes.has(type) ? trials.filter(({ verdict }) => !verdict) : [];
  if (unjudged.length === 0) return undefined;
  const fault = unjudged.find((trial) => trial.fault)?.fault;
  return `${unjudged.length} of ${trials.length} answers have no verdict; the first reason: ${fault ?? EMPTY}`;
}
