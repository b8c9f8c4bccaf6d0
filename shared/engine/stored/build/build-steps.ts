import * as v from "valibot";
import { isStorable, STORABLE } from "../../../schemas/values/storable.ts";
import type { Registry } from "../../define/registry.ts";
import type { StepFunction, StepResult, WorkflowStep } from "../../define/workflow.ts";
import { buildReview } from "./build-review.ts";
import type { Built } from "./built.ts";
import { childOf, type FindChild } from "./children.ts";
import { resolveFunction } from "./resolve-function.ts";

const text = v.nullish(v.string());
const types = ["Step", "Steps", "Parallel", "Loop", "Condition", "Router"] as const;

/** One step of a config, without its nested steps. @source contract, components-and-platform A7, Step `type` */
const StepConfig = v.object({
  type: v.optional(v.picklist(types), "Step"),
  name: text,
  description: text,
  agent_id: text,
  team_id: text,
  workflow_id: text,
  executor_ref: text,
  max_retries: v.nullish(v.pipe(v.number(), v.integer(), v.minValue(0))),
  skip_on_failure: v.nullish(v.boolean()),
  human_review: v.optional(v.unknown()),
  steps: v.nullish(v.array(v.unknown())),
  else_steps: v.nullish(v.array(v.unknown())),
  choices: v.nullish(v.array(v.unknown())),
  max_iterations: v.nullish(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000))),
  end_condition: v.optional(v.unknown()),
  end_condition_type: text,
  evaluator: v.optional(v.unknown()),
  evaluator_type: text,
  selector: v.optional(v.unknown()),
  selector_type: text,
  user_input_message: text,
  allow_multiple_selections: v.nullish(v.boolean()),
});
type StepConfig = v.InferOutput<typeof StepConfig>;

export type StepParts = { readonly registry: Registry; readonly find: FindChild };

/** The steps of a list. No two may have the same name: after a pause a step is found by its name. */
export async function buildSteps(config: unknown, parts: StepParts): Promise<Built<WorkflowStep[]>> {
  if (!Array.isArray(config)) return { value: [], errors: config == null ? [] : ["steps must be a list"] };
  const built = await Promise.all(config.map((step, at) => buildStep(step, at, parts)));
  const steps = new Map(built.flatMap(({ value }) => (value ? [[value.name, value] as const] : [])));
  const errors = built.flatMap((step) => step.errors);
  const count = built.filter(({ value }) => value).length;
  if (steps.size < count) errors.push("two steps beside each other have one name");
  return { value: [...steps.values()], errors };
}

async function buildStep(
  config: unknown,
  at: number,
  parts: StepParts,
): Promise<Built<WorkflowStep | undefined>> {
  const parsed = v.safeParse(StepConfig, config);
  if (!parsed.success) {
    const [{ message }] = parsed.issues;
    return { value: undefined, errors: [`step ${at + 1} is not usable: ${message}`] };
  }
  const step = parsed.output;
  const name = step.name ?? step.agent_id ?? step.team_id ?? step.workflow_id ?? step.executor_ref;
  const named = {
    name: name ?? `${step.type} ${at + 1}`,
    ...(step.description != null && { description: step.description }),
  };
  // The state of a run has a member with the path of each step.
  if (!isStorable({ [named.name]: null })) {
    return { value: undefined, errors: [`step ${at + 1} cannot have the name ${named.name}: ${STORABLE}`] };
  }
  const { value, errors } = await buildNode(step, named, parts);
  return { value, errors: errors.map((error) => `step ${named.name}: ${error}`) };
}

type Named = { readonly name: string; readonly description?: string };

async function buildNode(
  step: StepConfig,
  named: Named,
  parts: StepParts,
): Promise<Built<WorkflowStep | undefined>> {
  if (step.type === "Step") return buildLeaf(step, named, parts);
  const steps = await buildSteps(step.type === "Router" ? step.choices : step.steps, parts);
  const reviewed = buildReview(step.human_review);
  const errors = [...steps.errors, ...reviewed.errors];
  const review = reviewed.value.review && { review: reviewed.value.review };
  switch (step.type) {
    case "Steps":
      return { value: { ...named, type: "Steps", steps: steps.value, ...review }, errors };
    case "Parallel":
      return { value: { ...named, type: "Parallel", steps: steps.value }, errors };
    case "Loop": {
      const ends = endOf(step, parts.registry);
      const max_iterations = step.max_iterations ?? DEFAULT_ITERATIONS;
      const loop = { type: "Loop" as const, steps: steps.value, max_iterations };
      return { value: { ...named, ...loop, ...ends.value, ...review }, errors: [...errors, ...ends.errors] };
    }
    case "Condition": {
      const otherwise = await buildSteps(step.else_steps, parts);
      const evaluator = conditionOf(step, parts.registry);
      const condition = { type: "Condition" as const, steps: steps.value, evaluate: evaluator.value };
      const all = { ...named, ...condition, else_steps: otherwise.value, ...review };
      return { value: all, errors: [...errors, ...otherwise.errors, ...evaluator.errors] };
    }
    case "Router": {
      const selects = selectorOf(step, parts.registry);
      const router = { ...named, type: "Router" as const, choices: steps.value, ...selects.value };
      return { value: { ...router, ...questionOf(step) }, errors: [...errors, ...selects.errors] };
    }
  }
}

const DEFAULT_ITERATIONS = 3;

async function buildLeaf(
  step: StepConfig,
  named: Named,
  { registry, find }: StepParts,
): Promise<Built<WorkflowStep | undefined>> {
  const { value: reviewed, errors } = buildReview(step.human_review);
  if (step.workflow_id != null) {
    const { value: workflow, errors: own } = await childOf(find, "workflow", step.workflow_id);
    return {
      value: workflow && { ...named, type: "Workflow", workflow },
      errors: [...errors, ...own],
    };
  }
  const executor = await executorOf(step, registry, find);
  const skips = step.skip_on_failure == null ? undefined : step.skip_on_failure ? "skip" : "fail";
  const on_error = reviewed.on_error ?? skips;
  const leaf = {
    ...named,
    type: "Step" as const,
    ...(step.max_retries != null && { max_retries: step.max_retries }),
    ...(on_error && { on_error: on_error as "skip" | "fail" | "pause" }),
    ...(reviewed.review && { review: reviewed.review }),
  };
  const value = executor.value && { ...leaf, executor: executor.value };
  return { value, errors: [...errors, ...executor.errors] };
}

async function executorOf(step: StepConfig, registry: Registry, find: FindChild) {
  if (step.agent_id != null) return childOf(find, "agent", step.agent_id);
  if (step.team_id != null) return childOf(find, "team", step.team_id);
  if (step.executor_ref == null)
    return { value: undefined, errors: ["it names nothing that could execute it"] };
  const found = resolveFunction(step.executor_ref, registry);
  return "call" in found ? { value: found.call, errors: [] } : { value: undefined, errors: [found.error] };
}

/** The registered function that a config names. Expressions are code, and code is not accepted from configs. */
function functionOf(
  name: unknown,
  type: string | null | undefined,
  registry: Registry,
): { readonly call: StepFunction } | { readonly error: string } {
  if (type === "cel") return { error: "cel expressions are not supported; name a registered function" };
  return resolveFunction(name, registry);
}

function conditionOf({ evaluator, evaluator_type }: StepConfig, registry: Registry) {
  if (typeof evaluator === "boolean") return { value: () => evaluator, errors: [] };
  const found = functionOf(evaluator, evaluator_type, registry);
  if ("error" in found) return { value: () => false, errors: [found.error] };
  return {
    value: async (input: Parameters<StepFunction>[0]) => Boolean(await found.call(input)),
    errors: [],
  };
}

function endOf({ end_condition, end_condition_type }: StepConfig, registry: Registry) {
  if (end_condition == null) return { value: {}, errors: [] };
  const found = functionOf(end_condition, end_condition_type, registry);
  if ("error" in found) return { value: {}, errors: [found.error] };
  const ends = async (results: readonly StepResult[]) => Boolean(await found.call(iterationInput(results)));
  return { value: { end_condition: ends }, errors: [] };
}

/** A function's input for one iteration of a loop: its results, and nothing of the workflow around it. */
const iterationInput = (results: readonly StepResult[]): Parameters<StepFunction>[0] => ({
  input: undefined,
  previous: results.at(-1)?.content,
  results: Object.fromEntries(results.map((result) => [result.step_name, result])),
  session_state: {},
  signal: new AbortController().signal,
});

const Names = v.union([v.string(), v.array(v.string())]);

function selectorOf({ selector, selector_type }: StepConfig, registry: Registry) {
  if (selector == null) return { value: {}, errors: [] };
  const found = functionOf(selector, selector_type, registry);
  if ("error" in found) return { value: {}, errors: [found.error] };
  const select = async (input: Parameters<StepFunction>[0]) => v.parse(Names, await found.call(input));
  return { value: { selector: select }, errors: [] };
}

const questionOf = ({ user_input_message, allow_multiple_selections }: StepConfig) => ({
  ...(user_input_message != null && { user_input_message }),
  ...(allow_multiple_selections != null && { allow_multiple_selections }),
});
