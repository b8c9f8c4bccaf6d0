import * as v from "valibot";
import { meaning } from "../values/described-as.ts";
import { maxChars } from "../values/max-chars.ts";
import { storableObject } from "../values/storable-object.ts";

/** Inputs and expectations are part of every result, and an answer contains all results. */
const MAX_CHARS = 100_000;
const Text = v.pipe(v.string(), maxChars(MAX_CHARS));

/** The input of one case, and what is expected of the answer. */
export const evalCaseEntries = {
  input: meaning(v.pipe(Text, v.minLength(1)), "What the component is asked"),
  name: meaning(v.nullish(v.pipe(v.string(), maxChars(255))), "Name of the case"),
  expected_output: meaning(v.nullish(Text), "The answer that is expected, for accuracy"),
  criteria: meaning(v.nullish(Text), "What the judge looks for, for agent_as_judge"),
  additional_guidelines: meaning(v.nullish(Text), "Further rules for the judge"),
  additional_context: meaning(v.nullish(Text), "Further facts for the judge"),
  expected_tool_calls: meaning(
    v.nullish(v.array(v.pipe(v.string(), maxChars(255)))),
    "Tools that have to be called, for reliability",
  ),
  /** By tool: arguments that at least one of its calls must have. Of several, each needs a call; it may be the same. */
  expected_tool_call_arguments: meaning(
    v.nullish(v.record(v.string(), v.union([v.array(storableObject()), storableObject()]))),
    "By tool: arguments that one of its calls must have",
  ),
};

/** One case with the defaults of its evaluation. */
export const EvalCasePlan = v.object({
  ...evalCaseEntries,
  /** Of a dataset: the case. */
  id: v.optional(v.string()),
  /** The session that it was taken from, as `sourceKey` names it: the case is erased when that is removed. */
  source_key: v.optional(v.string()),
  /** It was erased: its input is empty, and nothing else is left of it. */
  erased: v.optional(v.literal(true)),
  input: v.string(),
});
export type EvalCasePlan = v.InferOutput<typeof EvalCasePlan>;

export const ScoringStrategy = v.picklist(["numeric", "binary"]);

/** The plan of an evaluation. It never changes, but for cases that are erased. */
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
