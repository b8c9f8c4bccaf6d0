import * as v from "valibot";
import { storableObject } from "../values/storable-object.ts";

/** Inputs and what is expected of them stand in every result, and an answer holds all results. */
const MAX_CHARS = 100_000;
const Text = v.pipe(v.string(), v.maxLength(MAX_CHARS));

/** What one case is asked, and what is expected of the answer. */
export const evalCaseEntries = {
  input: v.pipe(Text, v.minLength(1)),
  name: v.nullish(v.pipe(v.string(), v.maxLength(255))),
  expected_output: v.nullish(Text),
  criteria: v.nullish(Text),
  additional_guidelines: v.nullish(Text),
  additional_context: v.nullish(Text),
  expected_tool_calls: v.nullish(v.array(v.pipe(v.string(), v.maxLength(255)))),
  /** By tool: arguments that at least one call of it must have; several such, each met by a call of its own or not. */
  expected_tool_call_arguments: v.nullish(
    v.record(v.string(), v.union([v.array(storableObject()), storableObject()])),
  ),
};

/** One case with all that applies to it. */
export const EvalCasePlan = v.object(evalCaseEntries);
export type EvalCasePlan = v.InferOutput<typeof EvalCasePlan>;

export const ScoringStrategy = v.picklist(["numeric", "binary"]);

/** What an evaluation is to do; it never changes. */
export const EvalPlan = v.object({
  cases: v.array(EvalCasePlan),
  /** Runs of each case that count, and those before them that do not. */
  num_iterations: v.number(),
  warmup_runs: v.number(),
  scoring_strategy: ScoringStrategy,
  threshold: v.number(),
  allow_additional_tool_calls: v.boolean(),
  /** Model specification in place of the component's. */
  model: v.optional(v.string()),
  /** The judge's; the platform's default where absent. */
  judge: v.optional(v.string()),
});
export type EvalPlan = v.InferOutput<typeof EvalPlan>;
