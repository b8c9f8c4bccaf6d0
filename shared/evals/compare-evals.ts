import type { EvalComparison } from "../schemas/evals/eval-comparison.ts";
import type { EvalPlan } from "../schemas/evals/eval-plan.ts";
import type { EvalTrial } from "../schemas/evals/eval-trial.ts";
import type { StoredEval } from "../stores/evals/index.ts";
import { type CaseOutcome, caseOutcome, meanOf } from "./case-outcome.ts";
import { trialsPerCase } from "./trials.ts";

/** An evaluation with all that is recorded of it. */
export type WholeEval = {
  readonly record: StoredEval;
  readonly plan: EvalPlan;
  readonly trials: readonly EvalTrial[];
};

type Compared = EvalComparison["cases"][number];
type Change = Compared["change"];
type Case = CaseOutcome & { readonly number: number; readonly name: string | null; readonly input: string };

/** Compares two evaluations of one type, case by case. */
export function compareEvals(first: WholeEval, second: WholeEval): EvalComparison {
  const { eval_type } = first.record;
  const [before, after] = [casesOf(first), casesOf(second)];
  const cases = pairsOf(before, after).map(([was, is]) => comparedCase(eval_type, was, is));
  const [old, now] = [figuresOf(first, before), figuresOf(second, after)];
  return {
    eval_type,
    first: { ...headOf(first.record), ...old },
    second: { ...headOf(second.record), ...now },
    differences: differencesOf(old, now),
    counts: {
      better: countOf(cases, "better"),
      worse: countOf(cases, "worse"),
      same: countOf(cases, "same"),
      only_in_first: countOf(cases, "only_in_first"),
      only_in_second: countOf(cases, "only_in_second"),
      unfinished: countOf(cases, "unfinished"),
    },
    cases,
  };
}

const countOf = (cases: readonly Compared[], wanted: Change): number =>
  cases.filter(({ change }) => change === wanted).length;

function casesOf({ record, plan, trials }: WholeEval): Case[] {
  const each = trialsPerCase(plan);
  const byCase = Map.groupBy(trials, ({ number }) => Math.floor(number / each));
  return plan.cases.map(({ name, input }, i) => ({
    ...caseOutcome(record.eval_type, plan, byCase.get(i) ?? []),
    number: i + 1,
    name: name ?? null,
    input,
  }));
}

type Pair = readonly [Case | undefined, Case | undefined];

/** Of several cases with the same name, or the same input, the first belong together, then the second, and so on. */
function pairsOf(before: readonly Case[], after: readonly Case[]): Pair[] {
  const waiting = Map.groupBy(after, keyOf);
  const pairs = before.map((one): Pair => [one, waiting.get(keyOf(one))?.shift()]);
  const left = new Set([...waiting.values()].flat());
  return [...pairs, ...after.filter((one) => left.has(one)).map((one): Pair => [undefined, one])];
}

const keyOf = ({ name, input }: Case): string => JSON.stringify(name === null ? { input } : { name });

const SHOWN_CHARS = 500;

function comparedCase(type: StoredEval["eval_type"], was: Case | undefined, is: Case | undefined): Compared {
  const { name = null, input = "" } = was ?? is ?? {};
  return {
    name,
    input: input.length <= SHOWN_CHARS ? input : `${input.slice(0, SHOWN_CHARS)}…`,
    change: changeOf(type, was, is),
    first: was ? sideOf(was) : null,
    second: is ? sideOf(is) : null,
  };
}

const sideOf = ({ name: _n, input: _i, ...side }: Case) => side;

function changeOf(type: StoredEval["eval_type"], was: Case | undefined, is: Case | undefined): Change {
  if (!is) return "only_in_first";
  if (!was) return "only_in_second";
  const [old, now] = [rankOf(type, was), rankOf(type, is)];
  if (old === undefined || now === undefined) return "unfinished";
  return now === old ? "same" : now > old ? "better" : "worse";
}

/** More is better; undefined as long as it is not over. What failed is worse than anything that did not. */
function rankOf(type: StoredEval["eval_type"], one: Case): number | undefined {
  if (one.status === "waiting" || one.status === "running") return undefined;
  if (one.status === "failed") return Number.NEGATIVE_INFINITY;
  if (type === "performance") return -(one.avg_run_time ?? 0);
  return one.score ?? (one.passed === null ? 0 : Number(one.passed));
}

type Figures = EvalComparison["differences"];

function figuresOf({ record }: WholeEval, cases: readonly Case[]): Figures {
  return {
    score: meanOf(cases.map(({ score }) => score)),
    pass_rate: meanOf(cases.map(({ passed }) => (passed === null ? null : passed ? 100 : 0))),
    avg_run_time: meanOf(cases.map(({ avg_run_time }) => avg_run_time)),
    total_tokens: record.metrics?.total_tokens ?? null,
    cost: record.metrics?.cost ?? null,
  };
}

function differencesOf(old: Figures, now: Figures): Figures {
  const difference = (name: keyof Figures): number | null => {
    const [was, is] = [old[name], now[name]];
    return was === null || is === null ? null : is - was;
  };
  return {
    score: difference("score"),
    pass_rate: difference("pass_rate"),
    avg_run_time: difference("avg_run_time"),
    total_tokens: difference("total_tokens"),
    cost: difference("cost"),
  };
}

const headOf = ({ id, name, status, error, component_version }: StoredEval) => ({
  id,
  name,
  status,
  error,
  component_version: component_version ?? null,
});
