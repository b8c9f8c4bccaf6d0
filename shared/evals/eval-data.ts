import type { EvalPlan } from "../schemas/evals/eval-plan.ts";
import type { EvalData, EvalType } from "../schemas/evals/eval-run.ts";
import type { EvalTrial, Verdict } from "../schemas/evals/eval-trial.ts";
import { type CheckedCalls, checkToolCalls } from "./check-tool-calls.ts";
import { cutText } from "./cut-text.ts";
import { hasFailed } from "./failure-of.ts";
import { deviation, largest, mean, quantile, smallest } from "./statistics.ts";
import { caseOf, isWarmup } from "./trials.ts";

export type Found = {
  readonly id: string;
  readonly plan: EvalPlan;
  /** The finished trials, by number. */
  readonly trials: readonly EvalTrial[];
  /** Whether each result is listed, beside the totals. */
  readonly withResults: boolean;
};

/**
 * The results of a whole evaluation, or of one of its cases.
 *
 * @source docs/interface/evals.md 3.1
 */
export const evalData = (type: EvalType, found: Found): EvalData => dataOf[type](found);

const dataOf: Readonly<Record<EvalType, (found: Found) => EvalData>> = {
  accuracy: (found) => {
    const judged = judgedIn(found);
    const scores = scoresOf(judged);
    const results = judged.map(({ trial, verdict: { score, reason } }) => {
      const { input, expected_output } = caseOf(found.plan, trial.number);
      const { output } = trial;
      return {
        input: cutText(input),
        output,
        expected_output: cutText(expected_output ?? ""),
        score,
        reason,
      };
    });
    return { results: found.withResults ? results : [], ...scores, mean_score: scores.avg_score };
  },

  agent_as_judge: (found) => {
    const judged = judgedIn(found);
    const results = judged.map(({ trial, verdict: { score, reason, passed } }) => {
      const { input: asked, criteria } = caseOf(found.plan, trial.number);
      const input = trial.input ?? asked;
      const { output } = trial;
      return { input: cutText(input), output, criteria: cutText(criteria ?? ""), score, reason, passed };
    });
    const passed = judged.filter(({ verdict }) => verdict.passed).length;
    return {
      run_id: found.id,
      results: found.withResults ? results : [],
      ...scoresOf(judged),
      pass_rate: judged.length === 0 ? 0 : (100 * passed) / judged.length,
    };
  },

  performance: ({ plan, trials, withResults }) => {
    const measured = trials.filter(({ number }) => !isWarmup(plan, number));
    const runs = measured.map(({ seconds, memory_mib }) => ({ runtime: seconds, memory: memory_mib }));
    return {
      result: {
        ...spread(
          "run_time",
          runs.map(({ runtime }) => runtime),
        ),
        ...spread(
          "memory_usage",
          runs.map(({ memory }) => memory),
        ),
      },
      runs: withResults ? runs : [],
    };
  },

  reliability: ({ plan, trials }) => {
    const checks = trials.map(({ number, tool_calls }) =>
      checkToolCalls(tool_calls, caseOf(plan, number), plan.allow_additional_tool_calls),
    );
    const all = (name: keyof CheckedCalls) => checks.flatMap((check) => check[name]);
    const lists = Object.fromEntries(checkNames.map((name) => [name, all(name)]));
    // A run that failed may have called nothing, or called all before it failed.
    const fails = trials.some(hasFailed) || failureNames.some((name) => all(name).length > 0);
    return { eval_status: fails ? "FAILED" : "PASSED", ...lists };
  },
};

const failureNames = ["failed_tool_calls", "missing_tool_calls", "failed_argument_checks"] as const;
const checkNames = [
  "passed_tool_calls",
  "failed_tool_calls",
  "additional_tool_calls",
  "missing_tool_calls",
  "passed_argument_checks",
  "failed_argument_checks",
] as const;

type Judged = { readonly trial: EvalTrial; readonly verdict: Verdict };

const judgedIn = ({ trials }: Found): Judged[] =>
  trials.flatMap((trial) => (trial.verdict ? [{ trial, verdict: trial.verdict }] : []));

function scoresOf(judged: readonly Judged[]) {
  const scores = judged.map(({ verdict }) => verdict.score).filter((score) => score !== null);
  const of = (measure: (values: readonly number[]) => number) =>
    scores.length === 0 ? null : measure(scores);
  return {
    avg_score: of(mean),
    min_score: of(smallest),
    max_score: of(largest),
    std_dev_score: of(deviation),
  };
}

const spread = (of: "run_time" | "memory_usage", values: readonly number[]) => ({
  [`avg_${of}`]: mean(values),
  [`min_${of}`]: smallest(values),
  [`max_${of}`]: largest(values),
  [`std_dev_${of}`]: deviation(values),
  [`median_${of}`]: quantile(values, 0.5),
  ...Object.fromEntries(percents.map((percent) => [`p${percent}_${of}`, quantile(values, percent / 100)])),
});

const percents = [50, 90, 95, 99] as const;
