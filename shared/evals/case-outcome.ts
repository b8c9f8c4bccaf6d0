import type { EvalPlan } from "../schemas/evals/eval-plan.ts";
import type { EvalTotals, EvalType } from "../schemas/evals/eval-run.ts";
import type { EvalTrial } from "../schemas/evals/eval-trial.ts";
import { evalData } from "./eval-data.ts";
import { failureOf } from "./failure-of.ts";
import { mean } from "./statistics.ts";
import { isWarmup, trialsPerCase } from "./trials.ts";

/** The result of one case of an evaluation. */
export type CaseOutcome = {
  /** `completed`: each of its trials has what is measured. `failed`: they are over, and one has not. */
  readonly status: "waiting" | "running" | "completed" | "failed";
  /** Why it failed; public. */
  readonly error: string | null;
  /** Null where a case of this type cannot pass. */
  readonly passed: boolean | null;
  /** The mean of the judge's scores. */
  readonly score: number | null;
  /** Seconds: of the measured runs that ended with an answer. */
  readonly avg_run_time: number | null;
};

/** @param trials  those of the case that are recorded */
export function caseOutcome(type: EvalType, plan: EvalPlan, trials: readonly EvalTrial[]): CaseOutcome {
  const total = trialsPerCase(plan);
  const isOver = trials.length === total;
  const failure = failureOf(type, trials);
  const open = trials.length === 0 ? "waiting" : "running";
  const status = isOver ? (failure === undefined ? "completed" : "failed") : open;
  const data = evalData(type, { id: "", plan, trials, withResults: false });
  return {
    status,
    error: isOver ? (failure ?? null) : null,
    passed: isOver ? passedIn(type, failure, data) : null,
    score: typeof data.avg_score === "number" ? data.avg_score : null,
    avg_run_time: meanTime(plan, trials),
  };
}

/** Nothing passes that failed. */
function passedIn(
  type: EvalType,
  failure: string | undefined,
  { eval_status, pass_rate }: Readonly<Record<string, unknown>>,
): boolean | null {
  if (type === "reliability") return eval_status === "PASSED";
  if (type === "agent_as_judge") return failure === undefined && pass_rate === 100;
  return null;
}

function meanTime(plan: EvalPlan, trials: readonly EvalTrial[]): number | null {
  const measured = trials.filter(
    ({ number, run_status }) => !isWarmup(plan, number) && run_status === "COMPLETED",
  );
  return measured.length === 0 ? null : mean(measured.map(({ seconds }) => seconds));
}

/** The totals over the cases of an evaluation that has ended. */
export function evalTotals(type: EvalType, plan: EvalPlan, trials: readonly EvalTrial[]): EvalTotals {
  const each = trialsPerCase(plan);
  const byCase = Map.groupBy(trials, ({ number }) => Math.floor(number / each));
  const cases = plan.cases.map((_, i) => caseOutcome(type, plan, byCase.get(i) ?? []));
  return {
    score: meanOf(cases.map(({ score }) => score)),
    pass_rate: meanOf(cases.map(({ passed }) => (passed === null ? null : passed ? 100 : 0))),
    ...(type === "reliability" && { expects: plan.cases.some(expectsCalls) }),
  };
}

const expectsCalls = ({
  expected_tool_calls,
  expected_tool_call_arguments,
}: EvalPlan["cases"][number]): boolean =>
  (expected_tool_calls ?? []).length > 0 || Object.keys(expected_tool_call_arguments ?? {}).length > 0;

/** Their mean, without those that are null; null where all are. */
export function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : mean(known);
}
