import * as v from "valibot";
import { ownMember } from "../../../schemas/values/json-values.ts";
import { isStorable, STORABLE } from "../../../schemas/values/storable.ts";
import type { Registry } from "../../define/registry.ts";
import type { StepFunction, StepResult, StepReview, WorkflowStep } from "../../define/workflow.ts";
import { buildReview } from "./build-review.ts";
import { type Built, faultsOf, faultWithin, type Unresolved, unknownName, unusable } from "./built.ts";
import { childOf, type FindChild } from "./children.ts";

const text = v.nullish(v.string());
const types = ["Step", "Steps", "Parallel", "Loop", "Condition", "Router"] as const;

/** One step of a config, without its nested steps. */
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
  add_workflow_history: v.nullish(v.boolean()),
  num_history_runs: v.nullish(v.pipe(v.number(), v.integer(), v.minValue(0))),
  steps: v.nullish(v.array(v.unknown())),
  else_steps: v.nullish(v.array(v.unknown())),
  choices: v.nullish(v.array(v.unknown())),
  max_iterations: v.nullish(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000))),
  end_condition: v.optional(v.unknown()),
  end_condition_type: text,
  forward_iteration_output: v.nullish(v.boolean()),
  evaluator: v.optional(v.unknown()),
  evaluator_type: text,
  selector: v.optional(v.unknown()),
  selector_type: text,
  requires_user_input: v.nullish(v.boolean()),
  user_input_message: text,
  allow_multiple_selections: v.nullish(v.boolean()),
});
type StepConfig = v.InferOutput<typeof StepConfig>;

export type StepParts = { readonly registry: Registry; readonly find: FindChild };

/**
 * The steps of a list. No two may have the same name: after a pause a step is found by its name.
 *
 * @param path  of the list in its config
 */
export async function buildSteps(
  config: unknown,
  path: string,
  parts: StepParts,
): Promise<Built<WorkflowStep[]>> {
  if (!Array.isArray(config))
    return { value: [], faults: config == null ? [] : [unusable(path, `${path} must be a list`)] };
  const built = await Promise.all(config.map((step, at) => buildStep(step, at, `${path}[${at}]`, parts)));
  const steps = new Map(built.flatMap(({ value }) => (value ? [[value.name, value] as const] : [])));
  const faults = built.flatMap((step) => step.faults);
  const count = built.filter(({ value }) => value).length;
  if (steps.size < count) faults.push(unusable(path, "two steps beside each other have one name"));
  return { value: [...steps.values()], faults };
}

async function buildStep(
  config: unknown,
  at: number,
  path: string,
  parts: StepParts,
): Promise<Built<WorkflowStep | undefined>> {
  const parsed = v.safeParse(StepConfig, config);
  if (!parsed.success) {
    const faults = parsed.issues.map((issue) => {
      const inner = v.getDotPath(issue);
      return unusable(
        inner === null ? path : `${path}.${inner}`,
        `step ${at + 1} is not usable: ${issue.message}`,
      );
    });
    return { value: undefined, faults };
  }
  const step = parsed.output;
  const name = step.name ?? step.agent_id ?? step.team_id ?? step.workflow_id ?? step.executor_ref;
  const named = {
    name: name ?? `${step.type} ${at + 1}`,
    ...(step.description != null && { description: step.description }),
  };
  // The state of a run has a member with the path of each step.
  if (!isStorable({ [named.name]: null })) {
    const message = `step ${at + 1} cannot have the name ${named.name}: ${STORABLE}`;
    return { value: undefined, faults: [unusable(`${path}.name`, message)] };
  }
  const { value, faults } = await buildNode(step, named, path, parts);
  return { value, faults: faults.map((fault) => faultWithin(fault, `step ${named.name}`)) };
}

type Named = { readonly name: string; readonly description?: string };

async function buildNode(
  step: StepConfig,
  named: Named,
  path: string,
  parts: StepParts,
): Promise<Built<WorkflowStep | undefined>> {
  if (step.type === "Step") return buildLeaf(step, named, path, parts);
  const below = step.type === "Router" ? "choices" : "steps";
  const steps = await buildSteps(step[below], `${path}.${below}`, parts);
  const reviewed = buildReview(step.human_review, `${path}.human_review`);
  const faults = [...steps.faults, ...reviewed.faults];
  const review = reviewed.value.review && { review: reviewed.value.review };
  switch (step.type) {
    case "Steps":
      return { value: { ...named, type: "Steps", steps: steps.value, ...review }, faults };
    case "Parallel":
      return { value: { ...named, type: "Parallel", steps: steps.value }, faults };
    case "Loop": {
      const ends = endOf(step, path, parts.registry);
      const max_iterations = step.max_iterations ?? DEFAULT_ITERATIONS;
      const { forward_iteration_output: forwards } = step;
      const loop = {
        type: "Loop" as const,
        steps: steps.value,
        max_iterations,
        ...(forwards != null && { forward_iteration_output: forwards }),
      };
      return { value: { ...named, ...loop, ...ends.value, ...review }, faults: [...faults, ...ends.faults] };
    }
    case "Condition": {
      const otherwise = await buildSteps(step.else_steps, `${path}.else_steps`, parts);
      const evaluator = conditionOf(step, path, parts.registry);
      const condition = { type: "Condition" as const, steps: steps.value, evaluate: evaluator.value };
      const all = { ...named, ...condition, else_steps: otherwise.value, ...review };
      return { value: all, faults: [...faults, ...otherwise.faults, ...evaluator.faults] };
    }
    case "Router": {
      const asks = step.requires_user_input ?? review?.review.requires_user_input;
      const selects = asks ? { value: {}, faults: [] } : selectorOf(step, path, parts.registry);
      const router = { ...named, type: "Router" as const, choices: steps.value, ...selects.value };
      const question = questionOf(step, review?.review);
      return { value: { ...router, ...question }, faults: [...faults, ...selects.faults] };
    }
  }
}

const DEFAULT_ITERATIONS = 3;

async function buildLeaf(
  step: StepConfig,
  named: Named,
  path: string,
  { registry, find }: StepParts,
): Promise<Built<WorkflowStep | undefined>> {
  const { value: reviewed, faults } = buildReview(step.human_review, `${path}.human_review`);
  if (step.workflow_id != null) {
    const { value: workflow, faults: own } = await childOf(
      find,
      "workflow",
      step.workflow_id,
      `${path}.workflow_id`,
    );
    return {
      value: workflow && { ...named, type: "Workflow", workflow },
      faults: [...faults, ...own],
    };
  }
  const executor = await executorOf(step, path, registry, find);
  const skips = step.skip_on_failure == null ? undefined : step.skip_on_failure ? "skip" : "fail";
  const on_error = reviewed.on_error ?? skips;
  const { add_workflow_history, num_history_runs, max_retries } = step;
  const leaf = {
    ...named,
    type: "Step" as const,
    ...(max_retries != null && { max_retries }),
    ...(add_workflow_history != null && { add_workflow_history }),
    ...(num_history_runs != null && { num_history_runs }),
    ...(on_error && { on_error: on_error as "skip" | "fail" | "pause" }),
    ...(reviewed.review && { review: reviewed.review }),
  };
  const value = executor.value && { ...leaf, executor: executor.value };
  return { value, faults: [...faults, ...executor.faults] };
}

async function executorOf(step: StepConfig, path: string, registry: Registry, find: FindChild) {
  if (step.agent_id != null) return childOf(find, "agent", step.agent_id, `${path}.agent_id`);
  if (step.team_id != null) return childOf(find, "team", step.team_id, `${path}.team_id`);
  if (step.executor_ref == null)
    return { value: undefined, faults: [unknownName(path, "it names nothing that could execute it")] };
  const found = resolveFunction(step.executor_ref, registry);
  return "call" in found
    ? { value: found.call, faults: [] }
    : { value: undefined, faults: faultsOf({ [`${path}.executor_ref`]: found }) };
}

/** The registered function that a config names. Expressions are code, and code is not accepted from configs. */
function functionOf(
  name: unknown,
  type: string | null | undefined,
  registry: Registry,
): { readonly call: StepFunction } | Unresolved {
  if (type === "cel")
    return {
      error: "cel expressions are not supported; name a registered function",
      error_code: "UNPROCESSABLE",
    };
  return resolveFunction(name, registry);
}

/** Where the fault of a function is: at its name, or at the type that says it is none. */
const placeOf = (path: string, type: string | null | undefined): string =>
  type === "cel" ? `${path}_type` : path;

function conditionOf({ evaluator, evaluator_type }: StepConfig, path: string, registry: Registry) {
  if (typeof evaluator === "boolean") return { value: () => evaluator, faults: [] };
  const found = functionOf(evaluator, evaluator_type, registry);
  if ("error" in found)
    return {
      value: () => false,
      faults: faultsOf({ [placeOf(`${path}.evaluator`, evaluator_type)]: found }),
    };
  return {
    value: async (input: Parameters<StepFunction>[0]) => Boolean(await found.call(input)),
    faults: [],
  };
}

function endOf({ end_condition, end_condition_type }: StepConfig, path: string, registry: Registry) {
  if (end_condition == null) return { value: {}, faults: [] };
  const found = functionOf(end_condition, end_condition_type, registry);
  if ("error" in found)
    return { value: {}, faults: faultsOf({ [placeOf(`${path}.end_condition`, end_condition_type)]: found }) };
  const ends = async (results: readonly StepResult[]) => Boolean(await found.call(iterationInput(results)));
  return { value: { end_condition: ends }, faults: [] };
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

function selectorOf({ selector, selector_type }: StepConfig, path: string, registry: Registry) {
  if (selector == null) return { value: {}, faults: [] };
  const found = functionOf(selector, selector_type, registry);
  if ("error" in found)
    return { value: {}, faults: faultsOf({ [placeOf(`${path}.selector`, selector_type)]: found }) };
  const select = async (input: Parameters<StepFunction>[0]) => v.parse(Names, await found.call(input));
  return { value: { selector: select }, faults: [] };
}

/** What a router without a selector asks a person. Its own message takes precedence over that of its review. */
function questionOf(
  { user_input_message: own, allow_multiple_selections }: StepConfig,
  review: StepReview | undefined,
) {
  const user_input_message = own ?? review?.user_input_message;
  return {
    ...(user_input_message !== undefined && { user_input_message }),
    ...(allow_multiple_selections != null && { allow_multiple_selections }),
  };
}

/** The registered function that a config names. Nothing that a config holds is ever executed. */
function resolveFunction(name: unknown, { parts }: Registry): { readonly call: StepFunction } | Unresolved {
  const found = typeof name === "string" ? ownMember(parts?.functions ?? {}, name) : undefined;
  return found
    ? { call: found }
    : { error: `function ${String(name)} is not registered`, error_code: "NOT_FOUND" };
}
