import { requireRegisteredModel } from "../../shared/engine/component/registered-model.ts";
import type { Registry } from "../../shared/engine/define/registry.ts";
import type { Models } from "../../shared/engine/model/models.ts";
import { ServiceError } from "../../shared/errors.ts";
import { evalData, trialCount } from "../../shared/evals/index.ts";
import type { EvalTarget } from "../../shared/evals/worker.ts";
import type { CreateEvalBody } from "../../shared/schemas/evals/eval-bodies.ts";
import type { EvalCasePlan, EvalPlan } from "../../shared/schemas/evals/eval-plan.ts";
import { specOfModel } from "../../shared/schemas/values/model-spec.ts";
import type { StoredEval } from "../../shared/stores/evals/index.ts";

/** Runs of one evaluation, at most. */
const MAX_TRIALS = 2000;

export type EvalFacts = {
  readonly id: string;
  readonly user_id: string | null;
  /** Epoch seconds. */
  readonly now: number;
  readonly models: Pick<Models, "describe">;
  readonly registry: Registry;
  readonly judgeModel: string | undefined;
  /** The cases of a dataset, where the request names one. */
  readonly dataset?: {
    readonly id: string;
    readonly version: number;
    readonly cases: readonly EvalCasePlan[];
  };
  /** Id of what the component's version holds, where it is a stored one. */
  readonly component_digest?: string | undefined;
};

/**
 * Builds the records of an evaluation: the evaluation, and its plan.
 *
 * @throws ServiceError BAD_REQUEST when something is missing that its type needs, or it is too much
 * @source docs/interface/evals.md 2.1
 */
export function planEval(
  body: CreateEvalBody,
  runnable: EvalTarget,
  facts: EvalFacts,
): { readonly record: StoredEval; readonly plan: EvalPlan } {
  const { eval_type } = body;
  const plan = planOf(body, runnable, facts);
  const shown = facts.models.describe(
    eval_type === "agent_as_judge" ? plan.judge : (plan.model ?? runnable.model),
  );
  const record: StoredEval = {
    id: facts.id,
    eval_type,
    name: body.name ?? null,
    agent_id: runnable.kind === "agent" ? runnable.id : null,
    team_id: runnable.kind === "team" ? runnable.id : null,
    ...(runnable.version !== undefined && { component_version: runnable.version }),
    // With another model it is not that version which is evaluated.
    ...(facts.component_digest !== undefined &&
      plan.model === undefined && { component_digest: facts.component_digest }),
    ...(facts.dataset && { dataset_id: facts.dataset.id, dataset_version: facts.dataset.version }),
    ...(isJudged(eval_type) && { judge_model: modelId(facts.models.describe(plan.judge)) }),
    evaluated_component_name: runnable.name,
    model_id: shown.id,
    model_provider: shown.provider,
    eval_data: evalData(eval_type, { id: facts.id, plan, trials: [], withResults: true }),
    eval_input: evalInput(body, plan),
    user_id: facts.user_id,
    status: "running",
    error: null,
    cases: plan.cases.length,
    trials: trialCount(plan),
    done: 0,
    stalls: 0,
    created_at: facts.now,
    updated_at: facts.now,
  };
  return { record, plan };
}

const isJudged = (type: CreateEvalBody["eval_type"]): boolean =>
  type === "accuracy" || type === "agent_as_judge";

const modelId = ({ id, provider }: ReturnType<Models["describe"]>) => ({ id, provider });

function planOf(body: CreateEvalBody, runnable: EvalTarget, facts: EvalFacts): EvalPlan {
  const { eval_type } = body;
  const iterates = eval_type === "accuracy" || eval_type === "performance";
  const model = overrideIn(body, facts);
  const judge = facts.judgeModel ?? runnable.model;
  const plan: EvalPlan = {
    cases: casesIn(body, facts.dataset?.cases ?? body.cases),
    num_iterations: iterates ? body.num_iterations : 1,
    warmup_runs: eval_type === "performance" ? body.warmup_runs : 0,
    scoring_strategy: body.scoring_strategy,
    threshold: body.threshold,
    allow_additional_tool_calls: body.allow_additional_tool_calls,
    ...(model !== undefined && { model }),
    ...(judge !== undefined && { judge }),
  };
  const isAlone = facts.dataset === undefined && body.cases === undefined;
  for (const [i, one] of plan.cases.entries())
    requireExpectation(eval_type, one, isAlone ? "" : caseName(one, i));
  if (trialCount(plan) <= MAX_TRIALS) return plan;
  throw new ServiceError(
    "BAD_REQUEST",
    `this would take ${trialCount(plan)} runs, and an evaluation may take ${MAX_TRIALS}; give fewer cases or iterations`,
  );
}

/** What a case leaves out it takes from the body. @param given undefined where the body itself is the only case */
function casesIn(body: CreateEvalBody, given: readonly EvalCasePlan[] | undefined): EvalCasePlan[] {
  const { expected_output, criteria, additional_guidelines, additional_context } = body;
  const { expected_tool_calls, expected_tool_call_arguments } = body;
  const common = {
    expected_output,
    criteria,
    additional_guidelines,
    additional_context,
    expected_tool_calls,
    expected_tool_call_arguments,
  };
  if (given === undefined) return [{ ...common, input: body.input ?? "", name: null }];
  return given.map((one) => {
    const own = Object.entries(one).filter(([, value]) => value !== undefined && value !== null);
    return { ...common, input: one.input, ...Object.fromEntries(own) };
  });
}

const needed = {
  accuracy: "expected_output",
  agent_as_judge: "criteria",
  performance: undefined,
  reliability: "expected_tool_calls",
} as const;

/** @param who  which case it is, for the sentence; "" where there is one alone */
function requireExpectation(type: CreateEvalBody["eval_type"], one: EvalCasePlan, who: string): void {
  const name = needed[type];
  const value = name && one[name];
  if (name === undefined || (value !== undefined && value !== null && value !== "")) return;
  const none = type === "reliability" ? "; [] says that no tool may be called" : "";
  throw new ServiceError("BAD_REQUEST", `${who}${name} is required for evaluations of type ${type}${none}`);
}

/** Characters of an input that say which case it is. */
const SHOWN_CHARS = 40;

/** Datasets and their faults count rows from 1. */
function caseName({ name, input }: EvalCasePlan, index: number): string {
  const shown = input.length > SHOWN_CHARS ? `${input.slice(0, SHOWN_CHARS)}…` : input;
  return `case ${index + 1} (${JSON.stringify(name ?? shown)}): `;
}

/**
 * The model that the request names instead of the component's own. One of the two fields alone has no effect.
 *
 * @throws ServiceError BAD_REQUEST for a model that is not registered
 */
function overrideIn(
  { model_id, model_provider }: CreateEvalBody,
  { registry, models }: EvalFacts,
): string | undefined {
  if (!model_id || !model_provider) return undefined;
  const spec = specOfModel(model_provider, model_id);
  if (spec === undefined) {
    throw new ServiceError("BAD_REQUEST", `${model_provider} is no provider of models here`);
  }
  requireRegisteredModel(spec, registry, models);
  return spec;
}

type Input = StoredEval["eval_input"];

/** The input of an evaluation as its record shows it; its cases are shown separately. */
function evalInput(body: CreateEvalBody, plan: EvalPlan): Input {
  const orNull = <K extends keyof CreateEvalBody>(name: K) => ({ [name]: body[name] ?? null });
  const { num_iterations, warmup_runs, scoring_strategy, threshold, allow_additional_tool_calls } = plan;
  switch (body.eval_type) {
    case "accuracy":
      return {
        ...orNull("input"),
        ...orNull("expected_output"),
        num_iterations,
        ...orNull("additional_guidelines"),
        ...orNull("additional_context"),
      };
    case "agent_as_judge":
      return {
        ...orNull("criteria"),
        scoring_strategy,
        threshold: scoring_strategy === "binary" ? null : threshold,
        ...orNull("additional_guidelines"),
      };
    case "performance":
      return { num_iterations, warmup_runs };
    case "reliability":
      return {
        ...orNull("expected_tool_calls"),
        allow_additional_tool_calls,
        ...orNull("expected_tool_call_arguments"),
      };
  }
}
