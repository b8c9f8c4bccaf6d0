import * as v from "valibot";
import { EvalStatus, EvalType } from "./eval-run.ts";

const figure = v.nullable(v.number());

/** Figures of one evaluation; null where its type has no such figure, or nothing was measured. */
const figures = {
  /** The mean of the judge's scores, 1 to 10. */
  score: figure,
  /** 0 to 100: how many of the cases that ended passed, where a case can pass. */
  pass_rate: figure,
  /** Seconds. */
  avg_run_time: figure,
  total_tokens: figure,
  /** Dollars, of the runs and the judge. */
  cost: figure,
};

const ComparedEval = v.object({
  id: v.string(),
  name: v.nullable(v.string()),
  status: EvalStatus,
  error: v.nullable(v.string()),
  /** Of a stored component: the version that was evaluated. */
  component_version: v.nullable(v.number()),
  ...figures,
});

/** The result of a case in one of the two. `error` says why it failed. */
const ComparedCase = v.object({
  /** Counted from 1. */
  number: v.number(),
  status: v.picklist(["waiting", "running", "completed", "failed"]),
  error: v.nullable(v.string()),
  passed: v.nullable(v.boolean()),
  score: figure,
  avg_run_time: figure,
});

export const caseChanges = [
  "better",
  "worse",
  "same",
  "only_in_first",
  "only_in_second",
  "unfinished",
] as const;

/** How the second of two evaluations differs from the first. Cases belong together by name, or else by input. */
export const EvalComparison = v.object({
  eval_type: EvalType,
  first: ComparedEval,
  second: ComparedEval,
  /** The second's figures less the first's. */
  differences: v.object(figures),
  /** How many cases have each change. */
  counts: v.object(v.entriesFromList([...caseChanges], v.number())),
  cases: v.array(
    v.object({
      name: v.nullable(v.string()),
      /** Shortened. */
      input: v.string(),
      change: v.picklist(caseChanges),
      first: v.nullable(ComparedCase),
      second: v.nullable(ComparedCase),
    }),
  ),
});
export type EvalComparison = v.InferOutput<typeof EvalComparison>;
