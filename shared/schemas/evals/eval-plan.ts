import * as v from "valibot";
import { maxChars } from "../values/max-chars.ts";
import { storableObject } from "../values/storable-object.ts";

/** Inputs and expectations are part of every result, and an answer contains all results. */
const MAX_CHARS = 100_000;
const Text = v.pipe(v.string(), maxChars(MAX_CHARS));

/** The input of one case, and what is expected of the answer. */
export const evalCaseEntries = {
  input: v.pipe(Text, v.minLength(1)),
  name: v.nullish(v.pipe(v.string(), maxChars(255))),
  expected_output: v.nullish(Text),
  criteria: v.nullish(Text),
  additional_guidelines: v.nullish(Text),
  additional_context: v.nullish(Text),
  expected_tool_calls: v.nullish(v.array(v.pipe(v.string(), maxChars(255)))),
  /** By tool: arguments that at least one of its calls must have. Of several, each needs a call; it may be the same. */
  expected_tool_call_arguments: v.nullish(
    v.record(v.string(), v.union([v.array(storableObject()), storableObject()])),
  ),
};

/** One case with the defaults of its evaluation. */
export const EvalCasePlan = v.object(evalCaseEntries);
export type EvalCasePlan = v.InferOutput<typeof EvalCasePlan>;

export const ScoringStrategy = v.picklist(["numeric", "binary"]);

/** The plan of an evaluation; it never changes. */
export const EvalPlan = v.object({
  cases: v.array(EvalCasePlan),
  /** Runs of each case that count, and warm-up runs before them that do not. */
  num_iterations: v.number(),
  warmup_runs: v.number(),
  scoring_strategy: ScoringStrategy,
  threshold: v.number(),
  allow_additional_tool_calls: v.boolean(),
  /** Model specification in place of the component's. */
  model: v.optional(v.string()),
  /** The judge's; the platform's default when absent. */
  judge: v.optional(v.string()),
});
export type EvalPlan = v.InferOutput<typeof EvalPlan>;
