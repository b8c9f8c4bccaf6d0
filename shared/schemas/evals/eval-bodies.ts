import * as v from "valibot";
import { meaning } from "../values/described-as.ts";
import { fault, integer } from "../values/fields.ts";
import { KeyText } from "../values/key-text.ts";
import { maxChars } from "../values/max-chars.ts";
import { evalCaseEntries, ScoringStrategy } from "./eval-plan.ts";
import { EvalType } from "./eval-run.ts";

/** Most cases of one evaluation: they are sent in one body. */
export const MAX_CASES = 500;
const MAX_REMOVED = 1000;

const { input, ...expected } = evalCaseEntries;

const Members = v.object({
  eval_type: meaning(EvalType, "What is evaluated"),
  agent_id: meaning(v.nullish(KeyText), "The agent that is evaluated"),
  team_id: meaning(v.nullish(KeyText), "The team that is evaluated"),
  model_id: meaning(
    v.nullish(v.string()),
    "A model in place of the component's; together with model_provider",
  ),
  model_provider: meaning(v.nullish(v.string()), "The provider of that model"),
  num_iterations: meaning(
    v.optional(integer({ min: 1, max: 100 }), 1),
    "How often each case is run, for accuracy and performance",
  ),
  scoring_strategy: meaning(
    v.optional(ScoringStrategy, "binary"),
    "Whether the judge scores from 1 to 10 or says yes or no",
  ),
  threshold: meaning(
    v.optional(integer({ min: 1, max: 10 }), 7),
    "The score from which a numeric case has passed",
  ),
  warmup_runs: meaning(
    v.optional(integer({ min: 0, max: 10 }), 0),
    "Runs before those that count, for performance",
  ),
  allow_additional_tool_calls: meaning(
    v.optional(v.boolean(), false),
    "Whether other tools may be called too, for reliability",
  ),
  input: meaning(v.optional(input), "What the component is asked, where there is one case"),
  ...expected,
  /** Ours: several cases in place of `input`; members that a case leaves out are taken from the body. */
  cases: meaning(
    v.optional(v.pipe(v.array(v.object(evalCaseEntries)), v.minLength(1), v.maxLength(MAX_CASES))),
    "Several cases in place of input; what one leaves out is taken from the body",
  ),
  /** Ours: the cases of a dataset in place of `input`; what they leave out is taken from the body too. */
  dataset_id: meaning(v.nullish(KeyText), "The cases of this dataset in place of input"),
  dataset_version: meaning(
    v.nullish(integer({ min: 1, max: 1_000_000 })),
    "Which version of the dataset; the newest one unless given",
  ),
  /** Ours: a version of a stored component, also a draft. */
  version: meaning(
    v.nullish(integer({ min: 1, max: 1_000_000 })),
    "The version of a stored component, also a draft; the live one unless given",
  ),
  /** Ours: answer at once, with the evaluation at its start. */
  background: meaning(
    v.optional(v.boolean(), false),
    "Whether it is answered at once, with the evaluation at its start",
  ),
});

/** @source docs/interface/evals.md 1.2, 2.1 */
export const CreateEvalBody = v.pipe(
  Members,
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const given = dataset.value;
    const at = (key: "input" | "cases" | "dataset_id") =>
      [{ type: "object", origin: "value", input: given, key, value: given[key] }] as const;
    const isOfDataset = given.dataset_id !== undefined && given.dataset_id !== null;
    if (given.input === undefined && given.cases === undefined && !isOfDataset) {
      addIssue({ message: fault("missing", "Field required"), path: [...at("input")] });
    }
    if (given.input !== undefined && given.cases !== undefined) {
      addIssue({ message: "give either input or cases", path: [...at("cases")] });
    }
    if (isOfDataset && (given.input !== undefined || given.cases !== undefined)) {
      addIssue({ message: "give either input, cases or dataset_id", path: [...at("dataset_id")] });
    }
  }),
);
export type CreateEvalBody = v.InferOutput<typeof CreateEvalBody>;

export const UpdateEvalBody = v.object({
  name: meaning(v.pipe(v.string(), v.minLength(1), maxChars(255)), "What the evaluation is called"),
});

export const RemoveEvalsBody = v.object({
  eval_run_ids: meaning(
    v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(MAX_REMOVED)),
    "Ids of the evaluations",
  ),
});
