import * as v from "valibot";
import { fault, integer } from "../values/fields.ts";
import { KeyText } from "../values/key-text.ts";
import { maxChars } from "../values/max-chars.ts";
import { evalCaseEntries, ScoringStrategy } from "./eval-plan.ts";
import { EvalType } from "./eval-run.ts";

/** Most cases of one evaluation: they are sent in one body. */
const MAX_CASES = 500;
const MAX_REMOVED = 1000;

const { input, ...expected } = evalCaseEntries;

const Members = v.object({
  eval_type: EvalType,
  agent_id: v.nullish(KeyText),
  team_id: v.nullish(KeyText),
  model_id: v.nullish(v.string()),
  model_provider: v.nullish(v.string()),
  num_iterations: v.optional(integer({ min: 1, max: 100 }), 1),
  scoring_strategy: v.optional(ScoringStrategy, "binary"),
  threshold: v.optional(integer({ min: 1, max: 10 }), 7),
  warmup_runs: v.optional(integer({ min: 0, max: 10 }), 0),
  allow_additional_tool_calls: v.optional(v.boolean(), false),
  input: v.optional(input),
  ...expected,
  /** Ours: several cases in place of `input`; members that a case leaves out are taken from the body. */
  cases: v.optional(v.pipe(v.array(v.object(evalCaseEntries)), v.minLength(1), v.maxLength(MAX_CASES))),
  /** Ours: answer at once, with the evaluation at its start. */
  background: v.optional(v.boolean(), false),
});

/** @source contract, metrics-evals-traces B.4; `cases` and `background` are ours */
export const CreateEvalBody = v.pipe(
  Members,
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const given = dataset.value;
    const at = (key: "input" | "cases") =>
      [{ type: "object", origin: "value", input: given, key, value: given[key] }] as const;
    if (given.input === undefined && given.cases === undefined) {
      addIssue({ message: fault("missing", "Field required"), path: [...at("input")] });
    }
    if (given.input !== undefined && given.cases !== undefined) {
      addIssue({ message: "give either input or cases", path: [...at("cases")] });
    }
  }),
);
export type CreateEvalBody = v.InferOutput<typeof CreateEvalBody>;

export const UpdateEvalBody = v.object({ name: v.pipe(v.string(), v.minLength(1), maxChars(255)) });

export const RemoveEvalsBody = v.object({
  eval_run_ids: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(MAX_REMOVED)),
});
